// Opens each page that is named in a browser, on a phone and on a screen, light and dark, and fails
// where axe-core finds something serious, where a page loads anything, or where it is wider
// than the screen. With SHOTS set, it keeps a picture of each there.
import { readFileSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";

const require = createRequire(join(process.env.MODULES, "x.js"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const profile = mkdtempSync(join(tmpdir(), "debate-html-"));
const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const context = await chromium.launchPersistentContext(profile, { executablePath: process.env.CHROMIUM, headless: true, bypassCSP: true, args });
let wrong = 0, checked = 0, opened = 0;
const fail = (text) => { wrong++; console.log("FAIL " + text); };

try {
  const page = await context.newPage();
  const loaded = [];
  page.on("request", (r) => { if (r.url().startsWith("http")) loaded.push(r.url()); });
  for (const file of process.argv.slice(2)) {
    for (const width of [390, 1280]) {
      for (const colorScheme of ["light", "dark"]) {
        const name = `${basename(file, ".html")} at ${width} px, ${colorScheme}`;
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await page.goto("file://" + resolve(file));
        if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${basename(file, ".html")}-${width}-${colorScheme}.png`), fullPage: true });
        if (await page.locator("section#change").count()) fail(`${name}: what the change does is an open part of the page`);
        const does = page.locator("header details");
        if (await does.count()) {
          if (await does.locator("ul").isVisible()) fail(`${name}: what the change does is not folded`);
          await does.locator("summary").press("Enter");
          if (!(await does.locator("ul").isVisible())) fail(`${name}: no key opens what the change does`);
          opened++;
        }
        await page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
        await page.evaluate(axe);
        const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
        for (const v of found.violations) {
          const where = v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120) + "  " + (n.failureSummary ?? "").replace(/\s+/g, " ").slice(0, 200)).join("\n    ");
          if (["serious", "critical"].includes(v.impact)) fail(`${name}: ${v.id} (${v.impact}): ${v.help}\n    ${where}`);
          else console.log(`note ${name}: ${v.id} (${v.impact}): ${v.help}\n    ${where}`);
        }
        const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        if (over > 0) fail(`${name}: ${over} px wider than the screen`);
        checked++;
      }
    }
    const all = await page.locator("#findings article").count();
    for (const id of ["only-p1", "only-p2", "only-p3", "only-is-confirmed", "only-is-disputed"]) {
      const choice = page.locator("#" + id);
      if (!(await choice.count())) continue;
      await choice.check();
      const shown = await page.locator("#findings article:visible").count();
      const says = Number((await choice.locator("xpath=..").innerText()).match(/\((\d+)\)/)[1]);
      if (shown !== says || shown > all) fail(`${basename(file)}: ${id} shows ${shown} findings and says ${says}`);
      await page.locator(id.startsWith("only-p") ? "#any-severity" : "#any-standing").check();
    }
  }
  if (!opened) fail("no page says what its change does");
  if (loaded.length) fail("pages load " + loaded.join(", "));
} finally {
  await context.close();
  rmSync(profile, { recursive: true, force: true });
}
console.log(`${checked - wrong < 0 ? 0 : checked - wrong} passed, ${wrong} failed`);
process.exit(wrong || !checked ? 1 : 0);
