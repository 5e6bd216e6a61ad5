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
    devices: "kart* telefon* tablet*",
    passwords: "şifre* sifre* parola*",
    codes: "kodu",
    keys: "anahtar*",
    access: "giriş* gir hesap* hesab* oturum ağ kilid* yaz yazıyor giriyor* girdi* yerde banka* misafir",
    users: "kullanıcı*",
    changes: "değiştir* yaptım yeni",
    sent: "geldi mesaj gönderdi",
    others: "sipariş uçuş tren koltuk plaka kapı dolap kargo asma",
    backups: "yedek kurtarma*",
    answers: "soru* cevab*",
    copulas: "je olan olarak oldu",
    passports: "pasaport(?:um|u)?|ehliyet(?:im)?|kimlik(?: kartı)?",
  },
} satisfies LanguagePack;
