/** Lines that programs write, whose values are ids, keys of maps and settings more often than secrets. */

/** How much of a line says what it is. */
const MAX_LINE = 400;

const PATTERNS = [
  // Members of JSON, tags, and settings: `"id": "k8j2"`, `<a id="x">`, `log_level=debug`, `  image: nginx`.
  /["'][\w.-]{1,60}["']\s{0,3}:|<\/?[a-z][\w-]{0,20}[\s>]|^\s*[A-Za-z_][\w.-]{0,60}\s{0,3}=\s{0,3}\S|^\s{2,8}[\w.-]{1,40}:(?:\s|$)/,
  // Code: a statement's end, a block, calls, operators.
  /[;{}]\s*$|^\s{0,40}[{}<]|=>|[=!]=|&&|\|\||\w\(["'\w$)]|\]\(|^\s{0,8}(?:import|export|const|let|var|def|fn|func|class|return|SELECT|INSERT|UPDATE|CREATE|assert|print)\s/,
  // Logs: what begins with a time or a level, and pairs of names and values.
  /^\W{0,2}\d{4}-\d\d-\d\d[T ]\d\d:\d\d|^\W?(?:DEBUG|INFO|WARN|WARNING|ERROR|TRACE|FATAL)\b|(?:^|\s)[a-z_.]{1,30}=\S{1,60}\s+[a-z_.]{1,30}=\S/,
  // Rows of tables.
  /^\s{0,8}\||\t\S|^[^\s,;]{1,60}(?:[,;][^\s,;]{1,60}){2,}$/,
];

/** Whether a program wrote a line, or somebody wrote it for one. */
export function isDataLine(line: string): boolean {
  const start = line.slice(0, MAX_LINE);
  return PATTERNS.some((pattern) => pattern.test(start));
}
