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
    passwords: "jelsz(?:avam|avunk|ó)|jelmondat",
    pins: "pin-?kód|(?:ellenőrző|megerősítő|egyszer használatos) kód",
    codes: "kód(?:ot|ja)?",
    sent: "sms|küldtek|jött",
    backupCodes: "(?:tartalék|helyreállítási) kód(?:ok)?",
    passports: "útlevél(?:szám)?|személyi(?: igazolvány)?|jogosítvány",
    access: String.raw`bejelentkez\p{L}{1,4}|belép\p{L}{0,4}|fiók|wifi`,
    changes: "megváltoztattam|az új",
  },
} satisfies LanguageWords;
