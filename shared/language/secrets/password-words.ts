import { setOf } from "../../kernel/strings.ts";
import { allWords, alternatives } from "../languages/lists.ts";

/**
 * Words for passwords and other secrets, and what connects them with their value, in the languages of people who write
 * "our wifi password is …". Alternatives of a regular expression, in lower case.
 */

/** The words for a password, with the parts of a compound before it. */
export const PASSWORD_WORDS = [
  // English
  "pass ?words?|passwd|passcodes?|pass ?phrases?|pwd|pw|requirepass|pass(?=[\"']?\\s{0,3}[:=])",
  "(?:wi-?fi|wlan|network|security) (?:pass ?)?(?:code|key|pin)",
  "(?:seed|recovery|secret|backup) (?:phrase|words)|mnemonic(?: phrase)?|wiederherstellungsphrase|phrase de récupération|frase semilla",
  // German
  "[\\p{L}-]{0,30}passw(?:ort|örter|orts)|kennw(?:ort|örter)|[\\p{L}-]{0,20}kennwort",
  "(?:wlan|wi-?fi|netzwerk|sicherheits|geräte)-?(?:schlüssel|code|kennwort)",
  // French
  "mots? de passe|mdp|phrase secrète|phrase de passe|code (?:du )?(?:wi-?fi|secret)|clé (?:du )?wi-?fi",
  // Spanish
  "(?:mi|tu|su|nueva|la nueva) clave(?: nueva)?|clave (?:nueva|del (?:banco|correo|ordenador|móvil)|de (?:la (?:cuenta|app|web)|mi \\p{L}{3,12}))|contraseñas?|contrasena|frase de contraseña|palabra clave|clave (?:del? )?(?:la )?(?:wi-?fi|acceso|red|router)",
  // Italian
  "chiave (?:del |della )?(?:wi-?fi|rete)|parola d['’]ordine|parola chiave|codice segreto",
  // Portuguese
  "chave (?:do |da )?(?:wi-?fi|rede)|senhas?|palavra-?passe|palavra chave|frase secreta",
  // Dutch
  "[\\p{L}-]{0,30}wachtwoord(?:en)?|wachtzin|ww",
  // Polish, Czech, Slovak, Croatian
  "has(?:ło|łem|ła|łu)|hesl[oau]|lozink[aeu]",
  // Swedish, Norwegian, Danish, Finnish
  "[\\p{L}-]{0,20}lösenord(?:et)?|passord(?:et)?|adgangskod(?:e|en)|kodeord(?:et)?|salasana",
  // Turkish, Romanian, Hungarian, Indonesian, Vietnamese
  "şifre(?:si|m|miz|niz)?|parolası|parola (?:wi-?fi|de acces|contului|routerului|mea)|parolă|jelszó|jelszava|kata sandi|mật khẩu",
  // Russian, Ukrainian, Greek
  "парол[ьяею]{0,2}|кодовое слово|κωδικός(?: πρόσβασης)?",
  // Arabic, Hebrew, Hindi
  "كلمة (?:المرور|السر)|الرقم السري|סיסמ[הא]|पासवर्ड",
  alternatives(({ secrets }) => secrets?.passwords),
].join("|");

/** Those that never mean anything but a password: a plain word after them may be one. */
export const PLAIN_PASSWORD_WORDS =
  /pass ?w|pass ?c|passphrase|pwd?$|passwort|kennwort|de passe|mdp|contrase|senha|palavra-?passe|wachtwoord|has[łl]|hesl|lösen|passord|kode|salasana|şifre|jelsz|парол|password/iu;
/** Those whose value may be several words. */
export const PHRASE_WORDS = /phrase|fr[aá][sz]|satz$|zin$|lause|фраз|mnemonic|seed|master/iu;

/** The same in scripts that write no spaces between words. */
export const UNSPACED_PASSWORD_WORDS = `${alternatives(({ secrets }) => secrets?.unspacedPasswords)}|密码|密碼|口令|パスワード|(?<!(?:門|ドア|玄関|金庫|ロッカー|駐輪場|倉庫|オートロック|ポスト)の)暗証番号|合言葉|비밀번호|비번|암호|패스워드|รหัสผ่าน`;

/**
 * The words for a number of four to eight digits that proves who somebody is. Codes of doors, gates, lockers and alarms are
 * left out on purpose: they identify no person, and users store them in order to look them up.
 */
export const PIN_WORDS = [
  "(?:pin|kod pin) (?:do|del|dell[ao]|de la|de|da|vom|zum|van|der|of|for) (?:(?:my|mein|meine?[mr]|the|mon|ma|mi|o|a|het|de) )?\\p{L}{3,14}",
  "pin(?:[ -]?(?:code|number|nummer|kod|codes?))?|pincode|code pin|código pin|codice pin|geheimzahl|geheimnummer",
  "(?:(?:telephone|phone|online|mobile|internet) )?banking (?:pin|passcode|number|security number)|security number|cv[vc]2?|cryptogramme|kartenprüfnummer|prüfnummer|card verification (?:code|value)|otp|one-time (?:code|password)|2fa code|verification code|prüfziffer",
  "пин-?код|пин|pin kodu|pin-koden|暗証番号|pin码|puk(?:[ -]?code)?",
  // Codes of cards and phones
  "code (?:de |du |d['’])(?:la |l['’])?carte(?: bleue)?|(?:código|clave) (?:de la |del? |do )(?:tarjeta|cartão)|codice (?:del |della )?(?:bancomat|carta)|kod (?:do |od )?karty",
  "(?:screen lock|unlock) codes?|entsperr-?codes?|code de déverrouillage|código de (?:desbloqueo|desbloqueio)|codice di sblocco|ontgrendelcode|kod odblokowania|tan(?=[: ])",
  // Codes that are sent for one use
  "(?:security|login|sign-in|confirmation|sms|authenticat(?:or|ion)|two-factor|2-step) code|one-time (?:pin|passcode)|(?:sms|bestätigungs|sicherheits|einmal)-?(?:code|tan)",
  "code (?:de (?:vérification|sécurité|confirmation)|sms)|código (?:de (?:verificación|seguridad|confirmación)|sms)|codice (?:di (?:verifica|sicurezza)|sms|otp)",
  "código de (?:verificação|segurança|confirmação)|(?:verificatie|beveiligings|sms)-?code|kod(?:em)? (?:autoryzacyjny|blik|sms|weryfikacyjny)|blik|(?:doğrulama|onay|güvenlik) kodu|tek kullanımlık (?:şifre|kod)",
  "код (?:подтверждения|из смс|безопасности)",
  alternatives(({ secrets }) => secrets?.pins),
].join("|");

/** The words for keys and tokens whose value is random. */
export const KEY_WORDS = [
  "(?:server|admin|license|licence|personal|project|deploy|storage|enc|backup|account|shared access|sharedaccess|session|database)[ _-]{0,1}(?:key|token|secret)s?",
  "(?:api|access|auth|secret|signing|encryption|private|master|session|service|client|app|bot|deploy|webhook)[ _-]{0,1}(?:key|token|secret)s?",
  "tokens?|secrets?|credentials?|api[ _-]?schlüssel|schlüssel|geheimnis|jeton|clés?(?: (?:secrète|api|d'api|d'accès))?",
  "claves?(?: (?:secreta|api|de api))?|chiave(?: (?:api|segreta))?|chaves?(?: (?:api|secreta|de api))?|gettone|sleutel|klucz|ключ|токен|密钥|秘钥|キー|トークン",
  "session[_-]?id|phpsessid|jsessionid|connect\\.sid|csrf[_-]?token|refresh[_-]?token|id[_-]?token|aws_secret_access_key|secretaccesskey|connection_?string|dsn|license key|recovery key",
].join("|");

/** The same in scripts that write no spaces between words. */
export const UNSPACED_PIN_WORDS = alternatives(({ secrets }) => secrets?.unspacedPins);

/** A code of any kind, and the words that it was sent: a code for one use. */
export const TEXT_MESSAGE = /sms|смс|texted/iu;
export const CODE_WORDS = `sms|смс|texted|${alternatives(({ secrets }) => secrets?.codes)}`;
export const OTHER_CODES = alternatives(({ secrets }) => secrets?.otherCodes);
export const SENT_WORDS = alternatives(({ secrets }) => secrets?.sent);

/** Words for a change, without which "to" and "in" connect no plain word. */
export const CHANGE_WORDS = new RegExp(
  `(?<!\\p{L})(?:${alternatives(({ secrets }) => secrets?.changes)})(?!\\p{L})`,
  "iu",
);

/** What connects the word with its value in a sentence. */
export const COPULAS = [
  "is|was|are|be|will be|equals|to|as|changed to|set to",
  "ist|war|lautet|lautete|heißt|heisst|auf|wäre",
  "est|était|c'est|c’est|sera|pour|en",
  "es|era|será|a",
  "è|era|in|diventa|c['’]est|c['’]è",
  "é|para|pra|foi",
  "is|was|wordt|naar",
  "to|było|jest|na|brzmi",
  "är|er|on|je|este|hiển là|là|adalah",
  "это|был|была|—|–",
].join("|");

/** Words between the connecting word and the value. */
export const ADVERBS =
  "now|still|currently|just|simply|again|always|only|jetzt|nun|aktuell|noch|immer noch|einfach|maintenant|toujours|désormais|ahora|todavía|adesso|ora|ancora|agora|ainda|nu|nog|teraz|nadal|nu|fortfarande|теперь|сейчас";

/** Words that follow "the password is" and are no password. */
const NO_PASSWORDS = setOf(allWords(({ secrets }) => secrets?.notPasswords));
const NO_PASSWORD_ENDINGS = /(?:ed|ing|ly|able|ible|ful|less|ous|tion|lich|isch|ment)$/;

const NAMED = new RegExp(`^(?:${PASSWORD_WORDS}|pass)$`, "iu");

/** Whether a value is a name of code or a placeholder, whose parts are plain words and one of them means a password. */
export function isIdentifier(value: string): boolean {
  const parts = value.split(/[-_.]/);
  return parts.every((part) => /^\p{L}+$/u.test(part)) && parts.some((part) => NAMED.test(part));
}

/** Whether a word after "the password is" describes the password instead of being it. */
export function isAboutPasswords(word: string): boolean {
  const lower = word.toLowerCase();
  return NO_PASSWORDS.has(lower) || isIdentifier(word) || NO_PASSWORD_ENDINGS.test(lower);
}
