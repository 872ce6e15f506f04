package process

// usual are the variables that every program needs. Commands get no others: tokens and
// keys have unknown names.
var usual = [...]string{
	"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR",
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",
}

// Usual returns the usual variables of an environment.
func Usual(getenv func(string) string) []string {
	var env []string
	for _, name := range usual {
		if value := getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// Home returns the variables for a home directory, with this one.
func Home(dir string) []string {
	return []string{"HOME=" + dir, "USERPROFILE=" + dir, "APPDATA=" + dir, "LOCALAPPDATA=" + dir}
}

// Temporary returns the variables for temporary files, with this directory.
func Temporary(dir string) []string {
	return []string{"TMPDIR=" + dir, "TMP=" + dir, "TEMP=" + dir}
}
