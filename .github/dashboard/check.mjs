// Opens each page of the dashboard in a browser, on a phone, a tablet and a screen, light
// and dark, with scripts and without, and fails where axe-core finds something serious, a
// page is wider than the screen, something is loaded from elsewhere, the browser complains,
// or what a person wants to do does not work. With SHOTS set, it keeps pictures there.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.env.MODULES, "x.js"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const pages = ["/", "/reviews", "/decisions", "/jobs", "/statistics", "/spending", "/spending?by=model", "/spending?by=pull", "/installations", "/nowhere"];
let wrong = 0, passed = 0;
const check = (good, text) => { good ? passed++ : (wrong++, console.log("FAIL " + text)); };

// served starts the dashboard with a sample and calls use with its address.
async function served(sample, use) {
  const server = spawn(process.env.SERVE, ["--sample", sample], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(server, "exit");
  try {
    const [line] = await once(server.stdout, "data");
    await use(String(line).trim());
  } finally {
    server.stdin.end();
    await ended;
  }
}

// opened makes a page that notes whatever a page of the dashboard must not do.
async function opened(browser, base, options) {
  const context = await browser.newContext(options);
  await context.route("https://github.com/**", (route) => route.fulfill({ contentType: "text/html", body: "<!DOCTYPE html><title>GitHub</title>" }));
  const page = await context.newPage();
  const odd = [];
  page.on("request", (r) => { if (!r.url().startsWith(base) && !r.url().startsWith("https://github.com/") && !r.url().startsWith("data:")) odd.push("loads " + r.url()); });
  page.on("dialog", (d) => { odd.push("opens a dialog: " + d.message()); d.dismiss(); });
  page.on("pageerror", (e) => odd.push("script fails: " + e.message));
  page.on("console", (m) => { if (m.type() === "error" && !/status of (404|400)/.test(m.text())) odd.push("browser complains: " + m.text()); });
  return { context, page, odd };
}

async function look(page, name) {
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, name.replace(/[^a-z0-9]+/gi, "-") + ".png"), fullPage: true });
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  for (const v of found.violations) {
    const where = v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + "  " + (n.failureSummary ?? "").replace(/\s+/g, " ").slice(0, 200)).join("\n    ");
    const text = `${name}: ${v.id} (${v.impact}): ${v.help}\n    ${where}`;
    if (["serious", "critical"].includes(v.impact)) check(false, text);
    else console.log("note " + text);
  }
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  check(over <= 0, `${name}: ${over} px wider than the screen`);
}

async function everyPage(browser, sample, base) {
  for (const colorScheme of ["light", "dark"]) {
    const { context, page, odd } = await opened(browser, base, { colorScheme });
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of pages) {
        const answer = await page.goto(base + path);
        check(answer.status() === (path === "/nowhere" ? 404 : 200), `${sample} ${path}: status ${answer.status()}`);
        await look(page, `${sample} ${path} ${width} ${colorScheme}`);
      }
    }
    check(odd.length === 0, `${sample}, ${colorScheme}: ${odd.join("; ")}`);
    await context.close();
  }
}

// whatPeopleDo follows a decision to its issue, opens a report, and runs a job again.
async function whatPeopleDo(browser, base, javaScriptEnabled) {
  const name = javaScriptEnabled ? "with scripts" : "without scripts";
  const { context, page, odd } = await opened(browser, base, { javaScriptEnabled });
  await page.goto(base + "/");
  if (javaScriptEnabled) {
    await page.locator("#live-state", { hasText: /^Live$/ }).waitFor({ timeout: 10_000 });
    await page.keyboard.press("Tab");
    check(await page.locator(".skip").evaluate((e) => e === document.activeElement), `${name}: the first stop of the keyboard is not the link to the content`);
  } else {
    check(await page.locator("noscript a", { hasText: "Load it again" }).isVisible(), `${name}: no link that loads the page again`);
  }

  await page.getByRole("link", { name: /^Decisions/ }).click();
  await page.getByRole("link", { name: /drops column legacy_ref of orders/ }).click();
  check(page.url() === "https://github.com/acme/shop/issues/5", `${name}: the decision leads to ${page.url()}`);

  await page.goto(base + "/reviews");
  await page.locator("tbody tr", { hasText: "Refuse clients that ask too often" }).first().getByRole("cell").first().getByRole("link").click();
  check(page.url().startsWith(base + "/reviews/"), `${name}: the review leads to ${page.url()}`);
  check(await page.locator("#findings article").count() > 0, `${name}: the report shows no finding`);
  const width = await page.evaluate(() => getComputedStyle(document.body).maxWidth);
  check(width !== "none", `${name}: the report has lost its style`);

  await page.goto(base + "/jobs");
  const jobs = await page.locator("tbody tr").count();
  const job = (await page.locator("tbody tr").first().getByRole("rowheader").innerText()).trim();
  await page.locator("tbody tr").first().getByRole("button", { name: /^Run again/ }).click();
  check(await page.getByRole("status").isVisible(), `${name}: nothing says that the job runs again`);
  check(await page.locator("tbody tr").count() === jobs - 1, `${name}: the job is still listed as stopped`);
  await page.getByRole("link", { name: "Now" }).click();
  check(await page.locator("#waiting tbody tr", { hasText: job }).count() === 1, `${name}: ${job} is not in line`);
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `ran-${javaScriptEnabled}.png`), fullPage: true });
  check(odd.length === 0, `${name}: ${odd.join("; ")}`);
  await context.close();
}

const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, headless: true, args });
try {
  for (const sample of ["day", "empty", "hostile"]) await served(sample, (base) => everyPage(browser, sample, base));
  for (const scripts of [true, false]) await served("day", (base) => whatPeopleDo(browser, base, scripts));
} finally {
  await browser.close();
}
console.log(`${passed} passed, ${wrong} failed`);
process.exit(wrong || !passed ? 1 : 0);
