import { stemmer } from "@orama/stemmers/turkish";
import type { LanguagePack } from "./pack.ts";
import { stemsBy } from "./stems.ts";

export const tr = {
  name: "Turkish",
  stems: stemsBy(stemmer),
  letters: "ğışçöü",
  functionWords: `
    ve bir bu şu o da de ki mi mı mu mü için ile ama veya gibi kadar çok daha en ne kim nerede zaman nasıl neden değil var yok
    ben sen biz siz onlar bana sana ona beni seni onu benim senin onun bizim her hiç şey olan olarak sonra önce`,
  markers: `
    artık şimdi iki üç evet hayır biri oldu diye yani bugün yarın dün lütfen olsun oldum hep hani işte bile hem
    kaç iyi yeni kendi bütün tüm nereye ay yıl gün hafta evde annem babam abim eşim istiyorum yaz geldi gitti
    bitti çay çıktı değilim idare geçtim cevap ayakkabı abi geçti sonunda kız beş nisan sadece yeter bıraktı
    bıraktım dakika dedi emekli sil aldım bağlama kapandı yerine tabii kedi şifresi bende güzel dedim`,
  questions: {
    asked: {
      bloodGroup: "kan grubu|kan grubum",
      otherName: "soyadı|soyismi",
      code: "numarası|telefonu|şifresi|şifre|kodu",
      age: "yaşında|kaç yaş",
      colour: "renk|renkte",
      amount: "kaç|maaş|maaşım|ne kadar",
      name: "adı|ismi",
    },
  },
  values: {
    numbers: "iki üç dört beş altı yedi sekiz dokuz on",
    colours: "kırmızı mavi yeşil sarı siyah beyaz gri",
    ages: "yaş yaşında yaşına",
  },
  cues: {
    negations: "değil",
    imagined: "keşke belki eğer",
    claimed: "söylüyor güya",
    formerly: "eskiden",
    cancelled: "iptal",
    lasting: "her asla bundan",
  },
  mentions: {
    since: "beri itibaren",
    until: "kadar",
    determiners: "bizim benim",
  },
  assertions: {
    denials: "yok asla",
    conditions: "eger belki",
    plans: "istiyorum",
    clockPrepositions: "saat",
    generic: `
      bugun dun yarin sabah aksam gece hafta ay yil gun saat yine tekrar artik hep simdi sonra kez defa yeni
      cok`,
  },
  voices: {
    speech: "yazdı diyor dedi söyledi",
    texts: "e-posta mesaj* mektu* metin metni",
    tasks: "çevir* özetle* düzelt*",
    pointing: "bunu şu aşağıdaki yukarıdaki",
    ownLabels: "önemli not unutma",
    firstPerson: "ben benim",
    secondPerson: "sen sana",
    orders: "her_zaman",
    asides: "bu_arada",
  },
  courtesies: {
    words: "merhaba tesekkurler evet hayir",
    answers: "hayir evet",
  },
  moods: {
    lasting: "bundan sonra",
    changes: "değiştir",
    remembers: "unutma",
    leads: "ben|benim",
    own: "benim",
  },
  mails: {
    mailFields: "kimden|kime|konu|tarih",
    mailSubjects: "konu",
    salutations: "sevgili|sayın",
    greetings: "merhaba",
    closings: "saygılarımla",
  },
  secrets: {
    devices: "kart(?:ım|ımın|ın)?|telefon(?:um|umun|un)?",
    passwords: "parola(?:m|mız|nız)?|şifre(?:mi|yi|sini)|parola cümlesi",
    pins: "(?:kart|banka|telefon|sim) (?:şifre|pin)(?:m|si|in|im|i|miz)?|pin(?:im|imiz|i|ini)?|(?:sms|giriş|aktivasyon) kodu",
    codes: "kod(?:u|um|unuz)?",
    sent: "sms|mesaj|geldi|gönderdi",
    backupCodes: String.raw`(?:yedek|kurtarma) (?:kod(?:lar[ıi]?|u)?|anahtar\p{L}{0,2})`,
    passports: "pasaport(?:um|u)?|ehliyet(?:im)?|kimlik(?: kartı)?",
    access: "giriş|gir|hesap|hesabı|oturum|wi-?fi|kilidi",
    changes: "değiştirdim|değişti|yenisi|eskisi|yaptım",
  },
} satisfies LanguagePack;
