import type { LanguageWords } from "./pack.ts";

export const ar = {
  name: "Arabic",
  script: "Arabic",
  voices: {
    speech: "قال كتب",
    texts: "رسالة نص مقال بريد",
    tasks: "ترجم لخص صحح",
    pointing: "التالي هذا",
    ownLabels: "ملاحظة تذكر",
    firstPerson: "أنا",
    secondPerson: "أنت",
    returns: "بالمناسبة أما_أنا",
  },
  courtesies: {
    words: "مرحبا شكرا نعم لا السلام عليكم",
    answers: "نعم لا",
  },
  mails: {
    mailFields: "من|إلى|الموضوع|التاريخ",
    closings: "مع أطيب التحيات",
  },
  secrets: {
    passwords: "كلمة_المرور كلمة_السر كلمة_مرور الرقم_السري",
    codes: "رمز كود",
    access: "شبكة حساب",
    passports: "جواز(?: السفر| سفر)?",
  },
  moods: {
    unspacedRemembers: "تذكر",
  },
} satisfies LanguageWords;
