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
} satisfies LanguagePack;
