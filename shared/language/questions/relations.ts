import { memoizedByText } from "../../kernel/memoized.ts";
import { words } from "../../kernel/text/text.ts";

/** Characters of the texts whose relations are cached. */
const MAX_CACHED_TEXT = 2_000_000;

/** People and things that somebody has only a few of, one line for each, by their words in twelve languages. */
const RELATIONS = `
  mother mum mom mama mamma mam mutter mutti mère maman madre mamá mãe mãezinha moeder matka mama мама мать маму anne annem 母 お母さん 妈妈 母亲
  father dad papa vater vati père padre papá babbo pai vader tata ojciec папа отец баба baba babam 父 お父さん 爸爸 父亲
  brother bruder bruders frère hermano fratello irmão broer broers brat брат брата kardeşim kardeşi 兄 弟 哥哥 弟弟 兄弟
  sister schwester sœur soeur hermana sorella irmã zus zussen siostra сестра сестру сестры kızkardeşim 姉 妹 姐姐 妹妹
  son sons sohn sohnes fils hijo figlio filho zoon syn сын сына oğlum oğlu 息子 儿子
  daughter daughters tochter töchter fille hija figlia filha dochter córka дочь дочери kızım kızı 娘 女儿
  child children kid kids twins kind kinder zwillinge enfant enfants niño niños bambino bambini criança crianças kinderen dziecko dzieci ребёнок дети çocuk çocuklar 子供 孩子
  husband mann ehemann mari marido esposo marito esposo man mąż муж мужа kocam eşim 夫 主人 丈夫 老公
  wife frau ehefrau femme épouse mujer esposa moglie mulher vrouw żona жена жену karım 妻 奥さん 妻子 老婆
  boyfriend girlfriend partner fiancé fiancée freund freundin copain copine compagnon novio novia pareja fidanzato fidanzata namorado namorada vriend vriendin chłopak dziewczyna парень девушка sevgili 彼氏 彼女 男朋友 女朋友
  grandmother grandma granny nana oma großmutter grand-mère mamie abuela nonna avó babcia бабушка babaannem anneannem 祖母 奶奶 外婆
  grandfather grandpa grandad opa großvater grand-père papi abuelo nonno avô dziadek дедушка dedem 祖父 爷爷 外公
  aunt auntie tante tía zia tia ciocia тётя teyzem halam 叔母 阿姨 姑姑
  uncle onkel oncle tío zio tio oom wujek дядя amcam dayım 叔父 叔叔 舅舅
  cousin cousins cousine vetter primo prima cugino cugina neef nicht kuzyn kuzynka кузен кузина kuzenim いとこ 表哥 表妹
  niece nichte nièce sobrina nipote sobrinha nichtje siostrzenica племянница yeğenim 姪 侄女
  nephew neffe neveu sobrino nipote sobrinho neefje siostrzeniec племянник yeğenim 甥 侄子
  boss manager supervisor chef chefin vorgesetzter vorgesetzte patron jefe jefa capo chefe baas szef szefowa начальник начальника шеф müdürüm patronum 上司 部長 老板 上司 主任
  colleague coworker kollege kollegin collègue colega compañero compañera collega kolega koleżanka коллега iş arkadaşım 同僚 同事
  landlord landlady vermieter vermieterin propriétaire casero casera proprietario senhorio huisbaas wynajmujący хозяин ev sahibi 大家 房东
  neighbour neighbor nachbar nachbarin voisin voisine vecino vecina vicino vicina vizinho vizinha buurman buurvrouw sąsiad sąsiadka сосед соседка komşu komşum 隣人 邻居
  flatmate roommate housemate mitbewohner mitbewohnerin colocataire coloc compañera coinquilino coinquilina huisgenoot współlokator сосед ev arkadaşı ルームメイト 室友
  dentist zahnarzt zahnärztin dentiste dentista tandarts dentysta стоматолог dişçi diş hekimi 歯医者 牙医
  doctor gp physician surgeon arzt ärztin hausarzt hausärztin médecin docteur médico médica medico dottore dokter huisarts lekarz врач доктор doktor 医者 医生
  teacher tutor lehrer lehrerin maître maîtresse professeur prof profesor profesora tutora maestro maestra insegnante professore professor professora leraar juf nauczyciel nauczycielka учитель учительница öğretmen 先生 老师
  therapist psychologist physio physiotherapist therapeut therapeutin psychologue kiné terapeuta psicólogo fisioterapeut terapeuta терапевт психолог terapist 治疗师
  lawyer solicitor attorney notary anwalt anwältin notar avocat notaire abogado abogada notario avvocato notaio advogado advocaat notaris adwokat adwokat юрист адвокат avukat 弁護士 律师
  accountant steuerberater steuerberaterin comptable contable gestor commercialista contabilista accountant boekhouder księgowy бухгалтер muhasebeci 会计
  dog puppy hund hündin chien chienne perro perra cane cão cachorro hond pies собака собаку пёс köpek köpeğim 犬 狗
  cat kitten katze kater chat chatte gato gata gatto gatta kat poes kot kotka кошка кот кота kedi kedim 猫 猫咪
  rabbit kaninchen hase lapin conejo coniglio coelho konijn królik кролик tavşan うさぎ 兔子
  horse pferd cheval caballo cavallo cavalo paard koń лошадь at 馬 马
  car auto wagen voiture coche carro macchina auto samochód машина araba arabam 車 汽车
  rent miete loyer alquiler affitto renda aluguel huur czynsz аренда kira 家賃 房租
  salary wage wages pay gehalt lohn salaire sueldo salario stipendio salário salaris loon pensja зарплата maaş 給料 工资
  passport reisepass passeport pasaporte passaporto passaporte paspoort paszport паспорт pasaport パスポート 护照
  birthday bday geburtstag anniversaire cumpleaños compleanno aniversário verjaardag urodziny рождения doğum günü 誕生日 生日
  blood blutgruppe sanguin sanguíneo sanguigno sanguíneo bloedgroep krwi кровь kan 血液 血型
  school schule école escuela colegio scuola escola school szkoła школа okul 学校
  wifi wlan wi-fi
  bank banque banco banca bankası банк 银行 銀行
  insurance versicherung assurance seguro assicurazione verzekering ubezpieczenie страховка sigorta 保険 保险`
  .trim()
  .split("\n");

const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

const byWord = new Map<string, Set<number>>();
const unspaced: [string, number][] = [];
for (const [relation, line] of RELATIONS.entries()) {
  for (const form of line.trim().split(" ")) {
    if (UNSPACED.test(form)) unspaced.push([form, relation]);
    else for (const { folded } of words(form)) byWord.set(folded, (byWord.get(folded) ?? new Set()).add(relation));
  }
}

/** Returns the people and things of RELATIONS that a text mentions, by their index: the same in every language. */
export const relationsIn: (text: string) => ReadonlySet<number> = memoizedByText((text) => {
  const found = words(text).flatMap(({ folded }) => [folded, ...folded.split(/['’-]/u)]);
  const known = found.flatMap((word) => [...(byWord.get(word) ?? byWord.get(word.replace(/s$/u, "")) ?? [])]);
  const held = unspaced.filter(([form]) => text.includes(form)).map(([, relation]) => relation);
  return new Set([...known, ...held]);
}, MAX_CACHED_TEXT);
