import { memoizedByText } from "../../kernel/memoized.ts";
import { spaced, wordSet, words } from "../../kernel/text/text.ts";

/**
 * The kind of value that a question asks for. A "code" is a number that identifies something, "otherName" the first or
 * the last name of somebody.
 */
export type AskedValue = "age" | "amount" | "code" | "name" | "otherName" | "colour";

/** Characters of the questions whose kinds are cached. */
const MAX_CACHED_TEXT = 100_000;

/** Words and phrases in twelve languages that ask for a kind; the first kind with a match applies. */
const ASKING: readonly (readonly [AskedValue, ReadonlySet<string>, readonly string[]])[] = [
  [
    "otherName",
    wordSet(`surname vorname vornamen nachname nachnamen familienname prenom apellido apellidos cognome sobrenome achternaam
      voornaam nazwisko фамилия фамилию soyadı soyismi`),
    ["last name", "first name", "maiden name", "family name", "nom de famille", "nome próprio", "苗字", "姓什么"],
  ],
  [
    "code",
    wordSet(`phone telephone password passcode pin passport plate code number numbers telefonnummer handynummer passwort kennzeichen
      nummer pin-code code numéro téléphone passe immatriculation número teléfono contraseña clave matrícula numero telefono codice
      targa senha telefone código telefoonnummer wachtwoord kenteken numer telefonu hasło номер телефон пароль код numarası telefonu
      şifresi şifre kodu`),
    ["番号", "パスワード", "暗証", "号码", "电话", "密码", "车牌"],
  ],
  [
    "age",
    wordSet("age alter edad età idade leeftijd wiek возраст yaşında 年齢"),
    [
      "how old",
      "wie alt",
      "quel âge",
      "cuántos años",
      "quanti anni",
      "quantos anos",
      "hoe oud",
      "ile lat",
      "сколько лет",
      "kaç yaş",
      "何歳",
      "几岁",
      "多大",
    ],
  ],
  [
    "colour",
    wordSet(`colour color farbe couleur cor colore kleur kolor kolorze цвет цвета renk renkte`),
    ["何色", "颜色", "色は"],
  ],
  [
    "amount",
    wordSet(`salary price cost costs wage gehalt lohn kostet kosten kostete gekostet verdiene verdient preis hoch salaire coûte coûté
      prix gagne loyer sueldo salario cuesta costó gano gana precio cuánto cuánta cuántos cuántas quanto quanta quanti quante costa
      costato stipendio prezzo quantos quantas custa custou salário preço combien hoeveel kost kostte salaris prijs ile kosztuje
      kosztował kosztowała pensja сколько стоит стоил стоила зарплата kaç maaş maaşım`),
    [
      "how much",
      "how many",
      "how tall",
      "how far",
      "how long",
      "how big",
      "how high",
      "how fast",
      "how often",
      "earn",
      "wie viel",
      "wie viele",
      "wie groß",
      "wie weit",
      "wie lange",
      "wie schnell",
      "wie oft",
      "ne kadar",
      "hoe lang",
      "hoe groot",
      "いくら",
      "いくつ",
      "何人",
      "何個",
      "給料",
      "多少",
      "多高",
      "工资",
    ],
  ],
  [
    "name",
    wordSet(`name names named called heißt heißen namen appelle s'appelle m'appelle t'appelle nom llama llaman nombre chiama nome chama heet naam imię nazywa
      зовут имя называется adı ismi titel titolo título title brand make marke marca marque merk`),
    ["名前", "叫什么", "名字"],
  ],
];

const CHINESE_OR_JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Returns the kind of value that a question asks for; undefined if its words do not say it. */
export const askedValueOf: (question: string) => AskedValue | undefined = memoizedByText((question: string) => {
  const asked = words(question).flatMap(({ folded }) => [folded, ...folded.split(/['’-]/u)]);
  const text = CHINESE_OR_JAPANESE.test(question) ? question : spaced(question);
  const matches = ([, single, phrases]: (typeof ASKING)[number]) =>
    asked.some((word) => single.has(word)) ||
    phrases.some((phrase) => text.includes(CHINESE_OR_JAPANESE.test(phrase) ? phrase : spaced(phrase)));
  return ASKING.find(matches)?.[0];
}, MAX_CACHED_TEXT);
