import type { LanguageWords } from "./pack.ts";

export const cs = {
  name: "Czech",
  voices: {
    speech: "napsal* řekl*",
    texts: "zpráva dopis",
    tasks: "přelož* shrň* oprav*",
    pointing: "toto následující",
  },
} satisfies LanguageWords;
