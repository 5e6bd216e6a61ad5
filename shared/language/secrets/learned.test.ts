import { describe, expect, it } from "vitest";
import { findSecrets } from "./find-secrets.ts";

const valuesIn = (text: string) => findSecrets(text).map(({ type, start, end }) => `${type} ${text.slice(start, end)}`);

describe("secrets near a word for them", () => {
  it.each([
    ["the zip of the payroll needs its password, try Bramble_lane9 first", "password Bramble_lane9"],
    ["just put Sn0wflake!! in when it asks for the password", "password Sn0wflake!!"],
    ["Passwort? Moment, ich suche noch. Es ist wohl H4fen&Kran", "password H4fen&Kran"],
    ["公司邮箱密码改成了Tulou#Cha77，帮我记一下", "password Tulou#Cha77"],
    ["my laptop unlocks with sunflower", "password sunflower"],
    ["Passphrase: vier alte Kühe tanzen im Schnee (klein)", "password vier alte Kühe tanzen im Schnee"],
    ["sim pin? i think its 7302", "pin 7302"],
    ["пин-код карты 7719, не забудь", "pin 7719"],
    ["j'ai reçu 550912 par sms de Doctolib", "pin 550912"],
    ["me llegó un SMS con el código 774120 de Bizum", "pin 774120"],
    ["LINEから「認証番号：550217」って来た", "pin 550217"],
    ["codici di backup di Aruba\nHD71-KK91", "backup_code HD71-KK91"],
    ["backup codes? 4821-9037", "backup_code 4821-9037"],
    ["my password for the printer is kayak-mango-blue", "password kayak-mango-blue"],
    [
      "the aws ones: key id is in the wiki, secret is hT5vN8qLpZ3xWk7RmB1yCd9FgJs4UeA0oIiVt2Xa",
      "secret hT5vN8qLpZ3xWk7RmB1yCd9FgJs4UeA0oIiVt2Xa",
    ],
    ["Der API-Schlüssel von der Wetterseite: b7f20c9e4d8143a6952ef1bc", "api_key b7f20c9e4d8143a6952ef1bc"],
    ["le jeton de l'API météo est mf_live_8sKq2Vn7LwTz4RmBx1Yc", "api_key mf_live_8sKq2Vn7LwTz4RmBx1Yc"],
    ["the passcode on the kids profile is 4409", "pin 4409"],
    ["noodcodes voor 2fa: mz4t vq81 8krs", "backup_code mz4t vq81 8krs"],
    ["Reisepass C4KX7T92Z gültig bis 2032", "passport_number C4KX7T92Z"],
    ["Паспорт 4510 482913 выдан в 2010", "passport_number 4510 482913"],
    ["set the header to Bearer 8f7a6b5c4d3e2f1a0b9c", "bearer_token 8f7a6b5c4d3e2f1a0b9c"],
    ["cartão 6363 7346 1269 3871 validade 12/28", "card_number 6363 7346 1269 3871"],
  ])("%s", (text, found) => expect(valuesIn(text)).toEqual([found]));

  it.each([
    'autocomplete="current-password" or "new-password"?',
    "columns: id, email, password, password_hash, reset_token",
    "postgresql://USER:PASSWORD@HOST:PORT/DATABASE",
    "POSTGRES_PASSWORD: $" + "{DB_PASS:?missing}",
    "The letter says that the password was given in class.",
    "quem souber a senha da brincadeira passa a bola",
    "password reset fails on iPhone15 and Windows11",
    "my username is frostbyte_ken99",
    "PIN entry fails for 1200 customers",
    "I forgot my PIN, the branch 20395 opens at 9",
    "The PIN pad on terminal 4471 is broken",
    "We sent 12000 codes last week",
    "I got error code 1603 from the installer",
    "text 88222 by sms to vote for her",
    "el código postal es 28013 y me llegó el paquete",
    "el pasaporte de mi hija caduca en 20270315",
    "the phone opens with swipe",
    "uso Windows11 con WSL2_Ubuntu-22.04",
    "Personax0 Miller has lived in Zurich. Personbx1 Miller has lived in Zurich. Personcx2 Miller has lived in Zurich.",
    "k8j2: Ada told Ben about the new account",
    '{"key": "a8f3", "user": "ada4", "value": "Tea4two"}',
    "2024-11-02T08:14:22Z INFO user=ada4 action=login session=s9x4k1",
    "| id | user | account |\n|---|---|---|\n| k8j2 | ada4 | acct-20b |",
    'if (user.id === "u4410") openAccount("acct2");',
    "these were the ids in the export: a8f3k, b2c9m, d4e7p",
    "Does anyone remember Apollo13?",
    "Have you ever tried ChatGPT4?",
    "We finally watched Deadpool3!",
    "please look at Ticket#48213",
    "my BattleTag is Frostbyte#2134",
    "siehe auch Rechnung%20Mai2024.pdf",
    "Passwords are end-to-end encrypted",
    "The password manager is self-hosted",
    "The password is case-sensitive",
    "I manage my passwords with LastPass",
    "I changed my password and Claude3 helped me with the text",
    "Backup verification: 2024-11-02",
    "Notfallnummer Sicherheitsdienst: 0800123456",
    "Ersatzteil Sicherheitsgurt: 4711-22",
    "Last four digits: 4242",
    "the cache key is b7f20c9e4d8143a6952ef1bc",
    "The key of the row is 3f2a9c1e-8b4d-4f6a-9c2e-1a2b3c4d5e6f",
    "Mein Benutzername im Forum ist gartenzwerg_58",
    "Meu usuário no fórum é coruja_do_cerrado",
    "Is the i7-13700K worth it over the i5-13600K?",
    'npm ERR! peer react@"^17.0.2" from react-beautiful-dnd@13.1.1',
  ])("are not seen in %s", (text) => expect(valuesIn(text)).toEqual([]));

  it.each([
    ["namespace: AA0a", []],
    ["account: acct-20b", []],
    ["note: log in with Kayak#42x", []],
    ["password: Kayak42", ["Kayak42"]],
    ["note: my password is Kayak42", ["Kayak42"]],
  ])("are seen in data only by their names: %s", (text, values) => {
    const found = findSecrets(text, { isData: true });
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(values);
  });

  it.each(['{"password": "Kayak42"}', "DB_PASSWORD=Kayak42", "pin: 4711", "psql as app, then nkp2D5i!i6VFlDWQ"])(
    "are seen in %s",
    (text) => expect(valuesIn(text)).toHaveLength(1),
  );
});

it.each([
  "the password was Kayak42 before, then Kayak43 for a year, and Kayak44 since May",
  "The mail password is Kayak42 now. The bank password is Kayak43 now. The shop password is Kayak44 now.",
])("passwords that are alike are no numbered names in %s", (text) => {
  expect(valuesIn(text)).toEqual(["password Kayak42", "password Kayak43", "password Kayak44"]);
});
