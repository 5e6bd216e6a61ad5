import type { LanguageWords } from "./pack.ts";

export const hu = {
  name: "Hungarian",
  voices: {
    speech: "írta mondta",
    texts: "üzenet levél szöveg",
    tasks: "fordítsd foglald javítsd",
    pointing: "ezt alábbi",
  },
  mails: {
    mailFields: "feladó|címzett|tárgy",
    salutations: "kedves",
    closings: "üdvözlettel",
  },
  secrets: {
    devices: "kárty* telefon*",
    phrases: "jelmondat",
    passwords: "jelsz* jelmondat",
    codes: "kód*",
    access: "bejelentkez* belép* fiók hálózat bank",
    sent: "küldtek jött",
    backups: "tartalék*",
    passports: "útlevél(?:szám)?|személyi(?: igazolvány)?|jogosítvány",
  },
} satisfies LanguageWords;
