/** Shapes of values that resemble passwords and are none. */

const RESEMBLING = [
  // Dates, times, versions, numbers with units, addresses, files.
  /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ].*)?$/,
  /^\d{1,2}:\d{2}(?::\d{2})?$/,
  /^v?\d{1,4}\.\d{1,4}(?:\.[\w-]{1,20}){0,3}$/i,
  /^[a-z][a-z\d+.-]{1,20}:\/\//i,
  /^[\w.-]{1,80}\.(?:ts|js|json|md|txt|pdf|html?|py|yml|yaml|env|png|jpe?g|docx?|xlsx?)$/i,
  /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}$/,
  // Products and packages: "i7-13700K", "react-dom@13.1.1".
  /^[a-z]{1,3}\d{0,2}-\d{3,5}[a-z]{0,3}[?!]{0,3}$/i,
  /^@?[a-z][\w./-]*@["'^~<>=v]*\d+\.\d/i,
  // Placeholders, and references of code.
  /^[A-Z]+(?:_[A-Z]+)+$/,
  /^[a-z-]+=\d*$|^[?-]\p{L}+\}?$/iu,
  /^(?:\$\{?\w|%\w{1,40}%|<[^>]{0,80}>?|\{\{|\*{3,}|x{4,}|•{2,}|\.{3}|…|\[REDACTED)/i,
  /^[a-z_]\w{0,60}(?:\.[a-z_]\w{0,60}){0,5}(?:\(|\[|\.[a-z_]\w{0,60}(?<!\d\d)$)/i,
  /^(?:your|insert|enter|put|example|sample|dummy|placeholder|replace)(?:[-_.].{0,80}|me)?$|^change-?_?me$/i,
  /(?:^|[_-])your[_-]/i,
  /^(?:windows|word|excel|office|iphone|ipad|macbook|galaxy|pixel|android|ios|playstation|ps|xbox|covid|python|node|java|web|http|version|team|room|level|face|touch|wsl|ubuntu|chrome|firefox|safari)[- ]?\d/i,
  /^(?:1password|2fa|mfa|oauth2?|sha-?\d{1,3}|md5|base64|ipv[46]|utf-?8|ed25519|rsa-?\d{4}|wpa[23]?|argon2id?)$/i,
];

/** Whether a value is a placeholder, a date, a version, an address or a file's name. */
export function isResembling(value: string): boolean {
  return RESEMBLING.some((pattern) => pattern.test(value));
}

/** Random values that everybody may see: publishable keys, digests, and addresses of chains. */
export function isPublic(value: string): boolean {
  return /^pk_(?:live|test)_|^sha\d{1,3}[-:]|^0x[\da-f]{40}$/i.test(value);
}
