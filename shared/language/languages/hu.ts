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
} satisfies LanguageWords;
