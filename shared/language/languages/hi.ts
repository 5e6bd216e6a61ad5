import type { LanguageWords } from "./pack.ts";

export const hi = {
  name: "Hindi",
  script: "Devanagari",
  voices: {
    speech: "ने_कहा ने_लिखा",
    texts: "संदेश पत्र लेख ईमेल",
    tasks: "अनुवाद सारांश",
    pointing: "निम्न यह इस",
    ownLabels: "याद_रखें ध्यान_दें",
    firstPerson: "मैं मेरा मेरी",
    secondPerson: "आप",
    returns: "वैसे",
  },
  courtesies: {
    words: "नमस्ते धन्यवाद शुक्रिया हां हाँ नहीं ठीक है",
    answers: "हाँ नहीं",
  },
  names: {
    patterns: [
      [/(?<name>[\p{sc=Devanagari}]{2,20}) में (?=रह)/gu, "place"],
      [/(?<name>[\p{sc=Devanagari}]{2,20}) में (?=काम)/gu, "organization"],
      [/नाम (?<name>[\p{sc=Devanagari}]{2,20}) (?=है|हूँ)/gu, "person"],
    ],
  },
  secrets: {
    passwords: "पासवर्ड पासकोड",
    pins: "पिन ओटीपी",
    codes: "कोड",
    passports: "पासपोर्ट",
  },
  moods: {
    unspacedRemembers: "याद रख",
    unspacedOwn: "मेर",
  },
} satisfies LanguageWords;
