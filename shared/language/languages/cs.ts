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
    passwords: "heslem|heslov[áé] fráz[ei]",
    pins: "(?:ověřovací|potvrzovací|autorizační) kód",
    codes: "kód(?:em|y|u)?",
    sent: "sms|přišl[ao]|poslali",
    backupCodes: "(?:záložní|obnovovací) (?:kódy?|klíče?)",
    passports: "(?:cestovní )?pas(?:u)?|občansk(?:ý|ého) průkaz(?:u)?",
    access: String.raw`přihl\p{L}{1,6}|účet|odemyká|wi-?fi`,
    changes: "změnil[ao]?|nové je|nové",
  },
} satisfies LanguageWords;
