import type { LanguageWords } from "./pack.ts";

export const cs = {
  name: "Czech",
  voices: {
    speech: "napsal* řekl*",
    texts: "zpráva dopis",
    tasks: "přelož* shrň* oprav*",
    pointing: "toto následující",
  },
  mails: {
    mailFields: "odesílatel|komu|předmět",
    salutations: "milý|milá|vážený|vážená",
    closings: "s pozdravem",
  },
  secrets: {
    devices: "kart* mobil*",
    passwords: "heslo hesl*",
    codes: "kód*",
    access: "přihl* účet odemyk* síť banka",
    changes: "změnil*",
    sent: "přišl*",
    backups: "záložní",
    equals: "je",
    copulas: "je",
    passports: "(?:cestovní )?pas(?:u)?|občansk(?:ý|ého) průkaz(?:u)?",
  },
} satisfies LanguageWords;
