import type { LanguageWords } from "./pack.ts";

/** Words of Romanian, Croatian, Indonesian, Vietnamese, Greek, Hebrew and Thai, of which nothing else is known. */
export const further = {
  name: "further languages",
  secrets: {
    passwords: "parolă* lozink* kata_sandi mật_khẩu κωδικός סיסמ* รหัสผ่าน",
    copulas: "este adalah là",
  },
} satisfies LanguageWords;
