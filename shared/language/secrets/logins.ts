import { alternatives } from "../languages/lists.ts";
import type { FoundSecret } from "./found-secret.ts";
import { isAboutPasswords, isIdentifier } from "./password-words.ts";
import { looksChosen, PRODUCT, withoutPunctuation } from "./shapes.ts";

/** Passwords and codes that a sentence or a command gives without a word for them: "log in as ada with …". */

/** One of these is in each text that the patterns match: a text without any is not searched further. */
const ANY_HINT =
  /log|seed|mnemon|recover|wallet|metam|ledger|trez|wieder|récup|recup|semilla|use |nutze|echo|pin|into|pass|sign|cred|user|admin|root|zugang|acc[eè]|acess|credenz|dane |toegang|identif|connec|entra|open|unlock|get in|komm|ouvre|abre|apre|otwier|cod[eií]|c[oó]d|kod|код|wi-?fi|wlan|curl|sshpass|redis|mysql|auth|@|OTP|TAN|meld|blok|nood|herstel|záloh|nød|vara|yedek|kurtar|tartal|resv|reserv|gjen|резерв|запас|восст|备|恢|備|復|バック|リカ|백업|복구|رموز|बैक/iu;

const VALUE = "[\"'`“„«]?(?<value>(?:[^\\s\"'`“”„«»;<>]|<(?=\\d)){4,128})";
const WITH = "(?:with|using|mit|avec|con|com|met|z)";
const LOGIN =
  "log(?:ged|ging)? ?(?:in|on)(?:to)?|sign(?:ed)? ?in|logins?|creds?|credentials|account|einlogg\\p{L}{0,3}|melde[tn]? (?:dich|sich|mich|euch)|anmeld\\p{L}{0,3}|zugang(?:sdaten)?|zugriff|" +
  "connecte\\p{L}{0,3}(?:-toi)?|identifiants?|accès|accesos?|accede|entra[rs]?|credenciales|credenziali|accesso|accedi|acessos?|acesse|" +
  "inlogg\\p{L}{0,3}|toegang|inloggegevens|zaloguj\\p{L}{0,3}|logowani\\p{L}{1,2}|dane logowania";
const OPENS =
  "opens?|unlock(?:s|ed)?|decrypts?|get into|gets? in|öffnet|entsperr\\p{L}{0,3}|s['’]ouvre|abre|apre|otwiera|open je";
export const USER =
  "user(?:[ -]?name)?|usuario|usuário|utente|nome utente|benutzer(?:name)?|utilisateur|identifiant|gebruiker(?:snaam)?|użytkownik|login";
const PASS =
  "pass(?:word|wort)?|pw|pwd|p/w|clave|contraseña|senha|mdp|mot de passe|wachtwoord|ww|has[łl]o|kennwort|schlüssel|key|chiave|code";
const MAIL = "[\\w.+-]{1,64}@[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,4}";

/** Patterns of a chosen value, which is their group `value`. */
const CHOSEN = [
  // ada@example.com / value; the connecting word is enough after a word for signing in.
  `(?<!\\S)${MAIL}\\s{0,2}[/|:]\\s{0,2}${VALUE}`,
  `(?<![\\p{L}])(?:${LOGIN})[^\\n!?]{0,60}?${MAIL},?\\s(?:and|und|et|y|e|en|i|${WITH})\\s${VALUE}`,
  // admin / value
  `(?<![\\w/.])(?:admin|root|administrator|sa|deploy)\\s?/\\s?${VALUE}(?!/)`,
  `(?<![\\w/.@-])(?:admin|root|administrator|guest|user|deploy|pi|ubuntu):${VALUE}(?=[\\s,;]|$)`,
  // Disney+ pass — value
  `(?<![\\p{L}])pass\\s?[-–—]\\s?(?<value>[^\\s"'<>]{8,128})`,
  `(?<![\\p{L}])(?:${LOGIN})[^\\n.!?]{0,40}?[\\s:][\\w.-]{2,30}\\s?[/|]\\s?${VALUE}`,
  // log in as ada with value; use value to log in
  `(?<![\\p{L}])(?:${LOGIN}|(?<opens>${OPENS}))[^\\n.!?]{0,60}?\\s${WITH}\\s(?:(?:pass(?:word)?|pw|hasłem|wachtwoord)\\s)?${VALUE}`,
  `(?<![\\p{L}])(?:use|nutze|benutze|utilise|usa|gebruik|użyj)\\s${VALUE}\\s(?:to|zum|um|pour|para|per|om|żeby)\\s[^\\n.!?]{0,20}?(?:${LOGIN}|${OPENS})`,
  `(?<![\\p{L}])(?:${WITH})\\s${VALUE}\\s(?:kommst du|kommt man|you(?: can)? get in|tu entres|entras|entri|kom je)`,
  // need into my laptop, it's value
  `(?<![\\p{L}])(?:into|unlock|open) (?:my|the|her|his|our) [^\\n.!?]{2,30}?[,:?]\\s(?:it['’]s|it is|use)\\s${VALUE}`,
  // Wi-Fi "Attic" - key value
  `(?<![\\p{L}])(?:wi-?fi|wlan)(?![\\p{L}])[^\\n]{0,50}?[\\s(,-](?:key|pass|pw|schlüssel|clé|clave|chiave|chave|sleutel|klucz)(?:\\s(?:is|ist|est|es|è|é|to|del? [\\p{L}-]{2,8} (?:es|è|é)))?:?\\s${VALUE}`,
  `(?<![\\p{L}])(?<!(?:boarding|bus|ski|day|mountain|season|train|travel|hall|press|parking|gate|guest) )pass (?:(?:for|del?|pour|per) [\\p{L}\\s-]{2,25}? )?(?:is|es|è|é|est)\\s${VALUE}`,
  `(?<![\\p{L}])(?:${USER})[:\\s]{1,3}[\\w.@-]{2,40}[,;/|]?\\s(?:(?:and|und|y|e|en|et|i)\\s)?(?:${PASS})[:\\s]{1,3}(?:(?:is|ist|es|è|é)\\s)?${VALUE}`,
  `(?<![\\p{L}])(?:${USER})\\s?/\\s?(?:${PASS})[:=\\s]{1,3}[\\w.@-]{2,60}\\s?/\\s?${VALUE}`,
  `(?<!\\S)u(?:n|ser)?:\\s?\\S{2,60}\\s{1,3}p(?:w|ass)?:\\s?${VALUE}`,
  `(?<![\\p{L}])(?:${LOGIN})[:\\s]{1,2}[\\w.@-]{2,40}:${VALUE}`,
  `(?<![\\p{L}])(?:${LOGIN})[^\\n.!?]{0,40}?\\s${WITH}\\s(?:(?:user(?:name)?|benutzer)\\s)?[\\w.@-]{2,60},?\\s(?:and|und|et|y|e|en|i)\\s${VALUE}`,
  `(?<![\\p{L}])(?:reset|changed|set) [^\\n.!?]{2,40}? to ${VALUE}(?=[^\\n]{0,60}(?:log ?in|sign ?in|pass))`,
  `(?<![\\p{L}])(?:I|we|ich|wir|je|on|io|ik)\\s(?:use|uses|benutze|nutze|utilise|uso|gebruik)\\s${VALUE}\\s(?:everywhere|for everything|überall|partout|ovunque|overal|em tudo|para todo)`,
  // Commands
  `(?<=\\becho\\s["']?)(?<value>[^\\s"'|]{4,100})(?=["']?\\s?\\|\\s?sudo\\b)`,
  `(?<=\\bnet use\\b[^\\n]{0,80}?/user:\\S{1,60}\\s)${VALUE}`,
  `(?<=\\bcurl\\b[^\\n]{0,200}?\\s(?:-u|--user)\\s?["']?[\\w.@+-]{1,60}:)${VALUE}`,
  `(?<=\\bsshpass\\s-p\\s?|\\bredis-cli\\b[^\\n]{0,80}?\\s(?:-a|--pass)\\s|\\bmysql\\w{0,8}\\b[^\\n]{0,80}?\\s-p)${VALUE}`,
  `(?<![\\w/:@.-])(?:root|admin|user|deploy|ubuntu|postgres|pi):(?<value>[^\\s:@/]{4,100})(?=@[\\w.-]{3,80})`,
].map((source) => new RegExp(source, "giu"));

/** The key of a network, as routers come with it. */
const LONG_NUMBER = /^\d{16,24}$/;

/** Names of things with one number behind them: "sign in with SAML2". */
const NUMBERED = /^(?:\p{Lu}?\p{Ll}{1,9}\d|\p{Lu}{2,6}\d{1,2})$/u;
/** What may also be a program or a piece of music, where something opens with it. */
const TITLED = /^\p{Lu}\p{Ll}+\d{1,4}$/u;

/** Patterns of digits and codes, in their group `value`. */
const CODES: readonly [type: string, pattern: RegExp][] = [
  ["pin", /(?<![\w-])G-(?<value>\d{6})(?![\w-])/g],
  // A code that a service sends its user. Codes of doors have fewer digits, and are nobody's own.
  [
    "pin",
    /(?<!\p{L})(?:your|ihr|dein|votre|ton|tu|il tuo|o seu|seu|uw|je|twój|ваш)(?: [\p{L}\d.-]{1,20}){0,3} (?:code|código|codice|kod|код)(?: (?:is|ist|lautet|est|es|è|é|to))?:? (?<!(?:zip|booking|product|item|order|reference|tracking|discount|promo|voucher|course|postal|post|error) code(?: is)?:? )(?<value>\d{6,8}|\d{3}[ -]\d{3})(?![\w%]|[.,:/-]\d)/giu,
  ],
  [
    "pin",
    /(?<!\p{L})(?:use|enter|nutze|verwende|utilisez|usa|inserisci|gebruik|wpisz|użyj) (?<value>\d{4,8}) (?:as|to|als|um|pour|comme|para|como|per|come|om|jako|aby)(?!\p{L})[^\n.!?]{0,40}?(?:cod[eio]|código|kod|log|sign|verif|confirm|bestätig|weryfik)/giu,
  ],
  ["cvv", /(?<!\d)(?:\d[ -]?){15}\d[^\d\n]{1,14}(?:0[1-9]|1[0-2])\/\d{2}[^\d\n]{1,10}(?<value>\d{3,4})(?![\d/.-])/giu],
  [
    "bank_account",
    /(?<!\p{L})sort code\W{0,3}\d\d-?\d\d-?\d\d\W{1,3}(?:and )?(?:account|acc|acct)(?: number| no\.?)?\W{0,3}(?<value>\d{8})(?!\d)/giu,
  ],
  [
    "pin",
    /(?<![\p{L}\d.])(?:[A-Z]-)?(?<value>\d{4,8}) (?:is|ist|est|es|è|é|to) (?:your|ihr|dein|votre|ton|tu|su|il tuo|o seu|seu|uw|je|twój) [^\n.!?]{0,40}?(?:code|passcode|pin|código|codice|kod|tan)(?!\p{L})/giu,
  ],
];

/** One plain word that a device opens with; what else opens one is no password. */
const OPENED = new RegExp(
  `(?<!\\p{L})(?:${alternatives(({ secrets }) => secrets?.devices)})(?!\\p{L})[^\\n.!?]{0,30}?\\s(?:${OPENS}|odblokowuje)(?: (?:mit|się|con|avec|com|met|with))?(?: (?:dem wort|słowem|hasłem|the word|la parola|la palabra|le mot|het woord|a palavra))? ["'„“«]?(?<value>\\p{L}{5,30})(?=["'”“»]?(?:[.,;!?\\n]|$))`,
  "giu",
);

/** The words of a wallet: 12 to 24 words of a list after a word for them, with no words of sentences among them. */
const SEED_WORDS =
  /(?<!\p{L})(?:seed|mnemonic|recovery|wallet|metamask|ledger|trezor|wiederherstellung\p{L}{0,10}|récupération|recuperación|semilla)(?!\p{L})[^!?\d]{0,60}?(?<![a-z])(?<value>(?:[a-z]{3,8}(?:[ ,\n]{1,2}|[ ,\n]{1,2}\d{1,2}[.) ] ?)){11,23}[a-z]{3,8})(?![\p{L}\d]| [\p{L}\d])/giu;
const SENTENCE_WORDS =
  /(?<!\p{L})(?:the|and|was|were|his|her|with|for|from|und|der|die|das|les|des|los|las)(?!\p{L})/iu;

const BACKUP_CODES = new RegExp(
  `(?<!\\p{L})(?:${alternatives(({ secrets }) => secrets?.backupCodes)})(?!\\p{L})|${alternatives(({ secrets }) => secrets?.unspacedBackupCodes)}`,
  "giu",
);
/** Groups with a dash or blanks between them, of which those with blanks have digits; or one group alone on its line. */
const BACKUP_CODE =
  /(?<![\w-])(?:[0-9a-z]{4,6}(?:-[0-9a-z]{4,6}){1,7}|(?:(?=[a-z]{0,5}\d)[0-9a-z]{4,6})(?: (?=[a-z]{0,5}\d)[0-9a-z]{4,6}){1,7}|\d{8}|(?<=\n[ \t]{0,4}(?:[-*•]|\d{1,2}[.):])?[ \t]{0,4})(?=[a-z]{0,11}\d)[0-9a-z]{6,12}(?=[ \t]*(?:\n|$)))(?![\w-])/gi;
const MAX_BACKUP_CODES = 400;

/** Returns what the patterns find: passwords, codes, combinations of locks and backup codes. */
export function* findLogins(text: string): Generator<FoundSecret> {
  if (!ANY_HINT.test(text)) return;
  for (const pattern of CHOSEN) {
    for (const match of text.matchAll(pattern)) {
      const value = withoutPunctuation(match.groups?.value ?? "");
      const isName = PRODUCT.test(value) || NUMBERED.test(value) || (match.groups?.opens && TITLED.test(value));
      if ((looksChosen(value) || LONG_NUMBER.test(value)) && !isName && !isIdentifier(value))
        yield placed(text, match, value, "password");
    }
  }
  for (const match of text.matchAll(OPENED)) {
    const value = match.groups?.value ?? "";
    if (value === value.toLowerCase() && !isAboutPasswords(value)) yield placed(text, match, value, "password");
  }
  for (const [type, pattern] of CODES) {
    for (const match of text.matchAll(pattern)) yield placed(text, match, match.groups?.value ?? "", type);
  }
  for (const match of text.matchAll(SEED_WORDS)) {
    const words = match.groups?.value ?? "";
    if (!SENTENCE_WORDS.test(words)) yield placed(text, match, words, "seed_phrase");
  }
  for (const { index, 0: words } of text.matchAll(BACKUP_CODES)) {
    const start = index + words.length;
    for (const code of text.slice(start, start + MAX_BACKUP_CODES).matchAll(BACKUP_CODE)) {
      if (/\d/.test(code[0]))
        yield { type: "backup_code", start: start + code.index, end: start + code.index + code[0].length };
    }
  }
}

/** The value stands at the end of its match, or before the words that close it. */
function placed(text: string, match: RegExpExecArray, value: string, type: string): FoundSecret {
  const start = text.indexOf(value, match.index + match[0].lastIndexOf(value));
  return { type, start, end: start + value.length };
}
