"""Composes messages that tell of several people, of which people write fewer than a reader needs: families introduced in one
sentence, two people side by side, somebody's partner, "who" clauses, pronouns. Names and values are those of the corpus."""
import random
import re
from collections import defaultdict

from corpus import Record

MAX_WORDS = {"from": 2, "nationality": 1, "studies_at": 3, "works_on": 4, "owns": 3, "uses": 3, "subscription": 3, "gym": 2, "phone_model": 3,
             "computer": 3, "prefers": 3, "drinks": 2, "nickname": 1, "doctor": 3, "flatmate": 1, "colleague": 1, "friend": 1, "manager": 2, "works_as": 3, "works_at": 3, "lives_in": 2, "plays": 2, "likes": 3, "allergic_to": 2, "diet": 2, "drives": 3, "studies": 3,
             "speaks": 1, "learns": 2, "pet": 2, "eats": 2, "takes": 2, "member_of": 3, "condition": 2}
# Kin by language: (possessive with noun, slot, gender, pronoun). The noun is the last word.
KIN = {
    "en": ["my wife partner she", "my husband partner he", "my girlfriend partner she", "my boyfriend partner he", "my partner partner they",
           "my daughter child she", "our daughter child she", "my son child he", "our son child he", "my sister sibling she",
           "my brother sibling he", "my mum parent she", "my mother parent she", "my dad parent he", "my father parent he",
           "my aunt relative she", "my uncle relative he", "my cousin relative she", "my nephew relative he", "my grandma relative she",
           "my friend friend she", "my best mate friend he", "my colleague colleague she", "my boss manager he", "my boss manager she",
           "my flatmate flatmate he", "our neighbour neighbour she"],
    "de": ["meine Frau partner sie", "mein Mann partner er", "meine Freundin partner sie", "mein Freund partner er", "meine Tochter child sie",
           "unsere Tochter child sie", "mein Sohn child er", "unser Sohn child er", "meine Schwester sibling sie", "mein Bruder sibling er",
           "meine Mutter parent sie", "mein Vater parent er", "meine Tante relative sie", "mein Onkel relative er", "meine Oma relative sie",
           "meine Kollegin colleague sie", "mein Chef manager er", "meine Chefin manager sie", "mein Mitbewohner flatmate er",
           "meine Nachbarin neighbour sie"],
    "fr": ["ma femme partner elle", "mon mari partner il", "ma copine partner elle", "mon copain partner il", "ma fille child elle",
           "notre fille child elle", "mon fils child il", "notre fils child il", "ma sœur sibling elle", "mon frère sibling il",
           "ma mère parent elle", "mon père parent il", "ma tante relative elle", "mon oncle relative il", "mon collègue colleague il",
           "ma collègue colleague elle", "mon chef manager il", "ma voisine neighbour elle", "mon coloc flatmate il"],
    "es": ["mi mujer partner ella", "mi marido partner él", "mi novia partner ella", "mi novio partner él", "mi hija child ella",
           "nuestra hija child ella", "mi hijo child él", "nuestro hijo child él", "mi hermana sibling ella", "mi hermano sibling él",
           "mi madre parent ella", "mi padre parent él", "mi tía relative ella", "mi primo relative él", "mi compañera colleague ella",
           "mi jefe manager él", "mi jefa manager ella", "mi vecina neighbour ella"],
    "it": ["mia moglie partner lei", "mio marito partner lui", "la mia ragazza partner lei", "il mio ragazzo partner lui",
           "mia figlia child lei", "mio figlio child lui", "nostro figlio child lui", "mia sorella sibling lei", "mio fratello sibling lui",
           "mia madre parent lei", "mio padre parent lui", "mia zia relative lei", "mio cugino relative lui", "la mia collega colleague lei",
           "il mio capo manager lui"],
    "pt": ["a minha mulher partner ela", "o meu marido partner ele", "a minha namorada partner ela", "o meu namorado partner ele",
           "a minha filha child ela", "o meu filho child ele", "a minha irmã sibling ela", "o meu irmão sibling ele", "minha mãe parent ela",
           "meu pai parent ele", "minha tia relative ela", "meu primo relative ele", "o meu chefe manager ele"],
    "nl": ["mijn vrouw partner ze", "mijn man partner hij", "mijn vriendin partner ze", "mijn vriend partner hij", "mijn dochter child ze",
           "onze dochter child ze", "mijn zoon child hij", "onze zoon child hij", "mijn zus sibling ze", "mijn broer sibling hij",
           "mijn moeder parent ze", "mijn vader parent hij", "mijn tante relative ze", "mijn neef relative hij", "mijn baas manager hij"],
    "pl": ["moja żona partner ona", "mój mąż partner on", "moja dziewczyna partner ona", "mój chłopak partner on", "moja córka child ona",
           "mój syn child on", "moja siostra sibling ona", "mój brat sibling on", "moja mama parent ona", "mój tata parent on",
           "moja ciocia relative ona", "mój szef manager on"],
    "tr": ["karım partner o", "kocam partner o", "sevgilim partner o", "kızım child o", "oğlum child o", "ablam sibling o", "abim sibling o",
           "kardeşim sibling o", "annem parent o", "babam parent o", "teyzem relative o", "patronum manager o"],
    "ru": ["моя жена partner она", "мой муж partner он", "моя девушка partner она", "мой парень partner он", "моя дочь child она",
           "мой сын child он", "моя сестра sibling она", "мой брат sibling он", "моя мама parent она", "мой папа parent он",
           "моя тётя relative она", "мой начальник manager он"],
}
# What is said of somebody, and of the speaker: slot or slot,act, then the words. {} stands for the value.
SAID = {
    "en": {"works_as": ("is a {}", "I'm a {}"), "works_at": ("works at {}", "I work at {}"), "lives_in": ("lives in {}", "I live in {}"),
           "plays": ("plays {}", "I play {}"), "likes": ("loves {}", "I love {}"), "likes,not": ("can't stand {}", "I can't stand {}"),
           "allergic_to": ("is allergic to {}", "I'm allergic to {}"), "diet": ("is {}", "I'm {}"), "drives": ("drives a {}", "I drive a {}"),
           "studies": ("studies {}", "I'm studying {}"), "speaks": ("speaks {}", "I speak {}"), "speaks,not": ("speaks no {}", "I don't speak {}"),
           "learns": ("is learning {}", "I'm learning {}"), "eats,not": ("doesn't eat {}", "I don't eat {}"), "eats": ("eats {}", "I eat {}"),
           "takes": ("takes {}", "I take {}"), "works_at,end": ("left {}", "I left {}"), "works_at,plan": ("starts at {} in May", "I start at {} in May"),
           "lives_in,plan": ("is moving to {} next month", "I'm moving to {} next month"), "age": ("is {}", "I'm {}"),
           "member_of": ("is in the {}", "I'm in the {}"), "condition": ("has {}", "I have {}")},
    "de": {"works_as": ("ist {}", "ich bin {}"), "works_at": ("arbeitet bei {}", "ich arbeite bei {}"), "lives_in": ("wohnt in {}", "ich wohne in {}"),
           "plays": ("spielt {}", "ich spiele {}"), "likes": ("liebt {}", "ich liebe {}"), "likes,not": ("mag kein {}", "ich mag kein {}"),
           "allergic_to": ("ist allergisch gegen {}", "ich bin allergisch gegen {}"), "diet": ("ist {}", "ich bin {}"),
           "drives": ("fährt einen {}", "ich fahre einen {}"), "studies": ("studiert {}", "ich studiere {}"),
           "speaks": ("spricht {}", "ich spreche {}"), "speaks,not": ("spricht kein {}", "ich spreche kein {}"), "learns": ("lernt {}", "ich lerne {}"),
           "eats,not": ("isst kein {}", "ich esse kein {}"), "takes": ("nimmt {}", "ich nehme {}"), "works_at,end": ("hat bei {} gekündigt", "ich hab bei {} gekündigt"),
           "works_at,plan": ("fängt im Mai bei {} an", "ich fange im Mai bei {} an"), "lives_in,plan": ("zieht bald nach {}", "ich ziehe bald nach {}"),
           "age": ("ist {}", "ich bin {}"), "condition": ("hat {}", "ich habe {}")},
    "fr": {"works_as": ("est {}", "je suis {}"), "works_at": ("travaille chez {}", "je travaille chez {}"), "lives_in": ("habite à {}", "j'habite à {}"),
           "plays": ("joue au {}", "je joue au {}"), "likes": ("adore {}", "j'adore {}"), "likes,not": ("déteste {}", "je déteste {}"),
           "allergic_to": ("est allergique à {}", "je suis allergique à {}"), "diet": ("est {}", "je suis {}"), "speaks": ("parle {}", "je parle {}"),
           "speaks,not": ("ne parle pas {}", "je ne parle pas {}"), "learns": ("apprend {}", "j'apprends {}"), "studies": ("étudie {}", "j'étudie {}"),
           "eats,not": ("ne mange pas de {}", "je ne mange pas de {}"), "works_at,end": ("a quitté {}", "j'ai quitté {}"),
           "works_at,plan": ("commence chez {} en mai", "je commence chez {} en mai"), "lives_in,plan": ("déménage à {} bientôt", "je déménage à {} bientôt"),
           "age": ("a {} ans", "j'ai {} ans")},
    "es": {"works_as": ("es {}", "soy {}"), "works_at": ("trabaja en {}", "trabajo en {}"), "lives_in": ("vive en {}", "vivo en {}"),
           "plays": ("juega al {}", "juego al {}"), "likes,not": ("no soporta {}", "no soporto {}"),
           "allergic_to": ("es alérgica a {}", "soy alérgica a {}"), "diet": ("es {}", "soy {}"), "speaks": ("habla {}", "hablo {}"),
           "speaks,not": ("no habla {}", "no hablo {}"), "learns": ("aprende {}", "aprendo {}"), "studies": ("estudia {}", "estudio {}"),
           "eats,not": ("no come {}", "no como {}"), "works_at,end": ("ha dejado {}", "he dejado {}"),
           "works_at,plan": ("empieza en {} en mayo", "empiezo en {} en mayo"), "lives_in,plan": ("se muda a {} el mes que viene", "me mudo a {} el mes que viene"),
           "age": ("tiene {} años", "tengo {} años")},
    "it": {"works_as": ("fa {}", "faccio {}"), "works_at": ("lavora da {}", "lavoro da {}"), "lives_in": ("vive a {}", "vivo a {}"),
           "plays": ("suona {}", "suono {}"), "likes": ("adora {}", "adoro {}"), "likes,not": ("odia {}", "odio {}"),
           "allergic_to": ("è allergica a {}", "sono allergica a {}"), "diet": ("è {}", "sono {}"), "speaks": ("parla {}", "parlo {}"),
           "speaks,not": ("non parla {}", "non parlo {}"), "studies": ("studia {}", "studio {}"), "eats,not": ("non mangia {}", "non mangio {}"),
           "works_at,end": ("ha lasciato {}", "ho lasciato {}"), "lives_in,plan": ("si trasferisce a {} a maggio", "mi trasferisco a {} a maggio"),
           "age": ("ha {} anni", "ho {} anni")},
    "pt": {"works_as": ("é {}", "sou {}"), "works_at": ("trabalha na {}", "trabalho na {}"), "lives_in": ("mora em {}", "moro em {}"),
           "plays": ("joga {}", "jogo {}"), "likes": ("adora {}", "adoro {}"), "likes,not": ("detesta {}", "detesto {}"), "diet": ("é {}", "sou {}"),
           "speaks": ("fala {}", "falo {}"), "speaks,not": ("não fala {}", "não falo {}"), "studies": ("estuda {}", "estudo {}"),
           "eats,not": ("não come {}", "não como {}"), "works_at,end": ("saiu da {}", "saí da {}"), "age": ("tem {} anos", "tenho {} anos"),
           "lives_in,plan": ("muda-se para {} em maio", "mudo-me para {} em maio")},
    "nl": {"works_as": ("is {}", "ik ben {}"), "works_at": ("werkt bij {}", "ik werk bij {}"), "lives_in": ("woont in {}", "ik woon in {}"),
           "plays": ("speelt {}", "ik speel {}"), "likes": ("is gek op {}", "ik ben gek op {}"), "likes,not": ("haat {}", "ik haat {}"),
           "allergic_to": ("is allergisch voor {}", "ik ben allergisch voor {}"), "diet": ("is {}", "ik ben {}"), "speaks": ("spreekt {}", "ik spreek {}"),
           "speaks,not": ("spreekt geen {}", "ik spreek geen {}"), "studies": ("studeert {}", "ik studeer {}"), "eats,not": ("eet geen {}", "ik eet geen {}"),
           "works_at,end": ("is weg bij {}", "ik ben weg bij {}"), "works_at,plan": ("begint in mei bij {}", "ik begin in mei bij {}"), "age": ("is {}", "ik ben {}")},
    "pl": {"works_as": ("jest: {}", "jestem: {}"), "works_at": ("pracuje w {}", "pracuję w {}"), "lives_in": ("mieszka w {}", "mieszkam w {}"),
           "plays": ("gra w {}", "gram w {}"), "likes,not": ("nie znosi {}", "nie znoszę {}"), "allergic_to": ("ma alergię na {}", "mam alergię na {}"),
           "studies": ("studiuje {}", "studiuję {}"), "age": ("ma {} lat", "mam {} lat"), "eats,not": ("nie je {}", "nie jem {}")},
    "tr": {"works_as": ("{} olarak çalışıyor", "{} olarak çalışıyorum"), "works_at": ("{} şirketinde çalışıyor", "{} şirketinde çalışıyorum"),
           "lives_in": ("{} şehrinde yaşıyor", "{} şehrinde yaşıyorum"), "plays": ("{} oynuyor", "{} oynuyorum"), "diet": ("{}", "ben {}"),
           "speaks": ("{} konuşuyor", "{} konuşuyorum"), "age": ("{} yaşında", "{} yaşındayım"), "eats,not": ("{} yemiyor", "{} yemiyorum")},
    "ru": {"works_as": ("работает: {}", "я {}"), "works_at": ("работает в {}", "я работаю в {}"), "lives_in": ("живёт в {}", "я живу в {}"),
           "plays": ("играет в {}", "я играю в {}"), "likes": ("обожает {}", "я обожаю {}"), "likes,not": ("терпеть не может {}", "я терпеть не могу {}"),
           "speaks": ("говорит на {}", "я говорю на {}"), "age": ("{} лет", "мне {} лет"), "eats,not": ("не ест {}", "я не ем {}")},
}
WORDS = {
    "en": dict(and_="and", but="but", while_="while", who="who", with_="with", two="two kids", live="living in", im="I'm", name="my name is", has="I have", of="{a}'s {noun}", says=["fyi ", "so ", "btw ", "quick intro: ", "hi, ", "ok so ", "for context, "]),
    "de": dict(and_="und", but="aber", while_="während", who=None, with_="mit", two="zwei Kindern", live="wohne in", im="ich bin", name="ich heiße", has="ich habe", of="{a}s {noun}", says=["also ", "hallo, ", "kurz zu mir: ", "übrigens, "]),
    "fr": dict(and_="et", but="mais", while_="alors que", who="qui", with_="avec", two="deux enfants", live="j'habite à", im="je suis", name="je m'appelle", has="j'ai", of=None, says=["bonjour, ", "au fait, ", "alors, "]),
    "es": dict(and_="y", but="pero", while_="mientras que", who="que", with_="con", two="dos hijos", live="vivo en", im="soy", name="me llamo", has="tengo", of=None, says=["hola, ", "por cierto, ", "a ver, "]),
    "it": dict(and_="e", but="ma", while_="mentre", who="che", with_="con", two="due figli", live="vivo a", im="sono", name="mi chiamo", has="ho", of=None, says=["ciao, ", "allora, ", "comunque, "]),
    "pt": dict(and_="e", but="mas", while_="enquanto", who="que", with_="com", two="dois filhos", live="moro em", im="sou", name="chamo-me", has="tenho", of=None, says=["olá, ", "então, ", "já agora, "]),
    "nl": dict(and_="en", but="maar", while_="terwijl", who="die", with_="met", two="twee kinderen", live="ik woon in", im="ik ben", name="ik heet", has="ik heb", of="{a}s {noun}", says=["hoi, ", "trouwens, ", "dus "]),
    "pl": dict(and_="i", but="ale", while_="a", who=None, with_="z", two="dwoje dzieci", live="mieszkam w", im="jestem", name="mam na imię", has="mam", of=None, says=["cześć, ", "a tak w ogóle, "]),
    "tr": dict(and_="ve", but="ama", while_="", who=None, with_="", two="", live="", im="ben", name="adım", has="", of=None, says=["selam, ", "bu arada "]),
    "ru": dict(and_="и", but="но", while_="а", who=None, with_="с", two="двое детей", live="живу в", im="я", name="меня зовут", has="у меня есть", of=None, says=["привет, ", "кстати, "]),
}
RELATION = {"partner": {"en": ["wife", "husband", "girlfriend", "boyfriend"], "de": ["Frau", "Mann", "Freundin", "Freund"], "nl": ["vrouw", "man", "vriendin", "vriend"]},
            "child": {"en": ["daughter", "son", "little boy"], "de": ["Tochter", "Sohn"], "nl": ["dochter", "zoon"]}}
KIDS = {"en": [("our {n} kids", ["two", "three", "2"]), ("my {n} boys", ["two"]), ("my girls", [""]), ("our children", [""])],
        "de": [("unseren {n} Kindern", ["zwei", "drei"]), ("den Kindern", [""])], "fr": [("nos {n} enfants", ["deux", "trois"]), ("mes filles", [""])],
        "es": [("nuestros {n} hijos", ["dos", "tres"]), ("mis hijas", [""])], "it": [("i nostri {n} figli", ["due", "tre"]), ("le mie figlie", [""])],
        "pt": [("os nossos {n} filhos", ["dois", "três"]), ("as minhas filhas", [""])], "nl": [("onze {n} kinderen", ["twee", "drie"]), ("de kinderen", [""])]}
SIBLINGS = {"en": ["two brothers", "two sisters", "three sisters", "a brother and a sister"], "de": ["zwei Brüder", "zwei Schwestern"],
            "fr": ["deux frères", "deux sœurs"], "es": ["dos hermanos", "dos hermanas"], "it": ["due fratelli", "due sorelle"],
            "pt": ["dois irmãos", "duas irmãs"], "nl": ["twee broers", "twee zussen"]}

# More that the speaker says of themselves, changes with an old and a new value, and what states nothing.
OWN = {
    "en": {"from": ["I'm from {}", "originally from {}"], "nationality": ["I'm {}"], "studies_at": ["I study at {}", "I go to {}"],
           "works_on": ["I'm working on {}"], "owns": ["I have a {}", "I own a {}", "we've got a {}"], "owns,end": ["sold my {}", "got rid of the {}"],
           "uses": ["I use {}", "I do everything in {}"], "uses,end": ["I don't use {} anymore", "gave up on {}"], "subscription": ["I'm subscribed to {}", "I pay for {}"],
           "subscription,end": ["cancelled {}", "I've cancelled my {}"], "gym": ["my gym is {}", "I train at {}"], "gym,end": ["left {} (the gym)"],
           "phone_model": ["my phone is a {}", "I have a {}"], "computer": ["my laptop is a {}", "I work on a {}"], "prefers": ["I prefer {}", "I'd rather have {}"],
           "drinks": ["I drink {}", "I mostly drink {}"], "drinks,end": ["I stopped drinking {}", "no more {} for me"], "drinks,not": ["I don't drink {}"],
           "nickname": ["call me {}", "everyone calls me {}", "I go by {}"], "member_of": ["I'm in the {}", "I joined the {}"], "member_of,end": ["I quit the {}"],
           "takes": ["I take {}", "I'm on {}"], "takes,end": ["I came off {}", "the doctor stopped my {}"], "doctor": ["my doctor is {}", "my dentist is {}", "I see {}"],
           "flatmate": ["I live with {}, we share a flat"], "colleague": ["my colleague {} sits next to me"], "friend": ["my friend {}"], "pet": ["we have a cat, {}", "my dog is called {}"],
           "works_at,past": ["I used to work at {}", "I was at {} before"], "works_as,past": ["I used to be a {}", "I was a {} for years"], "lives_in,past": ["I used to live in {}", "I grew up in {}"],
           "plays,past": ["I used to play {}"], "plays,end": ["I stopped playing {}", "I gave up {}"], "lives_in,cancel": ["we're not moving to {} after all"],
           "works_at,cancel": ["I'm not going to {} after all"], "owns,plan": ["I'm buying a {} next month"], "learns,end": ["I gave up learning {}"], "partner,end": ["{} and I broke up", "I split up with {}"],
           "partner": ["I'm married to {}", "I'm with {} now"], "allergic_to,not": ["I'm not allergic to {}"], "drives,end": ["sold the {}"], "works_on,end": ["we've finished {}"]},
    "de": {"from": ["ich komme aus {}"], "studies_at": ["ich studiere an der {}"], "owns": ["ich hab ein {}"], "owns,end": ["{} hab ich verkauft"], "uses": ["ich benutze {}"],
           "uses,end": ["{} benutze ich nicht mehr"], "subscription": ["ich hab {} abonniert"], "subscription,end": ["{} hab ich gekündigt"], "phone_model": ["mein Handy ist ein {}"],
           "prefers": ["mir ist {} lieber"], "drinks": ["ich trinke {}"], "drinks,end": ["ich trinke kein {} mehr"], "nickname": ["alle nennen mich {}", "sag einfach {}"],
           "member_of": ["ich bin im {}"], "doctor": ["mein Arzt ist {}", "meine Zahnärztin ist {}"], "pet": ["unser Hund heißt {}", "meine Katze heißt {}"],
           "works_at,past": ["früher war ich bei {}", "ich hab mal bei {} gearbeitet"], "works_as,past": ["früher war ich {}"], "lives_in,past": ["ich hab früher in {} gewohnt"],
           "plays,end": ["ich spiele kein {} mehr"], "lives_in,cancel": ["aus {} wird nichts"], "takes,end": ["{} ist abgesetzt"], "partner,end": ["{} und ich haben uns getrennt"]},
    "fr": {"from": ["je viens de {}"], "studies_at": ["je suis à {}"], "owns": ["j'ai un {}"], "owns,end": ["j'ai vendu {}"], "uses": ["j'utilise {}"], "uses,end": ["je n'utilise plus {}"],
           "drinks": ["je bois {}"], "drinks,end": ["je ne bois plus de {}"], "nickname": ["on m'appelle {}"], "doctor": ["mon médecin, c'est {}"], "pet": ["mon chien s'appelle {}", "notre chat s'appelle {}"],
           "works_at,past": ["avant je travaillais chez {}"], "works_as,past": ["avant j'étais {}"], "lives_in,past": ["j'ai habité à {} avant"], "plays,end": ["j'ai arrêté {}"],
           "takes": ["je prends {}"], "takes,end": ["j'ai arrêté {}"], "partner,end": ["{} et moi, c'est fini"]},
    "es": {"from": ["soy de {}"], "studies_at": ["estudio en {}"], "owns": ["tengo un {}"], "owns,end": ["vendí {}"], "uses": ["uso {}"], "uses,end": ["ya no uso {}"], "drinks": ["tomo {}"],
           "drinks,end": ["ya no tomo {}"], "nickname": ["me dicen {}"], "doctor": ["mi médico es {}"], "pet": ["mi perro se llama {}", "tenemos una gata, {}"], "works_at,past": ["antes trabajaba en {}"],
           "works_as,past": ["antes era {}"], "lives_in,past": ["antes vivía en {}"], "plays,end": ["dejé {}"], "takes": ["tomo {}"], "takes,end": ["me quitaron {}"], "partner,end": ["{} y yo rompimos"]},
    "it": {"from": ["vengo da {}"], "owns": ["ho un {}"], "owns,end": ["ho venduto {}"], "uses": ["uso {}"], "uses,end": ["non uso più {}"], "drinks,end": ["non bevo più {}"], "nickname": ["mi chiamano {}"],
           "pet": ["il mio cane si chiama {}"], "works_at,past": ["prima lavoravo da {}"], "works_as,past": ["prima facevo {}"], "lives_in,past": ["prima vivevo a {}"], "plays,end": ["ho smesso con {}"], "takes": ["prendo {}"]},
    "pt": {"from": ["sou de {}"], "owns": ["tenho um {}"], "owns,end": ["vendi {}"], "uses": ["uso {}"], "uses,end": ["já não uso {}"], "drinks,end": ["deixei de beber {}"], "pet": ["o meu cão chama-se {}"],
           "works_at,past": ["antes trabalhava na {}"], "lives_in,past": ["antes morava em {}"], "plays,end": ["larguei {}"], "takes": ["tomo {}"]},
    "nl": {"from": ["ik kom uit {}"], "owns": ["ik heb een {}"], "owns,end": ["{} heb ik verkocht"], "uses": ["ik gebruik {}"], "uses,end": ["{} gebruik ik niet meer"], "drinks,end": ["ik drink geen {} meer"],
           "pet": ["onze kat heet {}"], "works_at,past": ["vroeger werkte ik bij {}"], "lives_in,past": ["ik heb in {} gewoond"], "plays,end": ["ik ben gestopt met {}"], "takes": ["ik slik {}"]},
    "pl": {"uses": ["używam {}"], "owns,end": ["sprzedałem {}"], "takes": ["biorę {}"], "works_at,past": ["kiedyś pracowałam w {}"], "drinks,end": ["nie piję już {}"], "pet": ["mój pies to {}"]},
    "tr": {"uses": ["{} kullanıyorum"], "owns,end": ["{} sattım"], "takes": ["{} kullanıyorum, ilaç"], "works_at,past": ["eskiden {} şirketindeydim"], "pet": ["köpeğimin adı {}"]},
    "ru": {"uses": ["пользуюсь {}"], "owns,end": ["продал {}"], "takes": ["пью {} от давления"], "works_at,past": ["раньше работал в {}"], "drinks,end": ["больше не пью {}"], "pet": ["мою собаку зовут {}"]},
}
CHANGES = {
    "en": {"works_at": ["left {a} and now work at {b}", "I'm no longer at {a}, I'm at {b}", "quit {a}. {b} now"], "lives_in": ["we moved from {a} to {b}", "moved out of {a}, I live in {b} now"],
           "drives": ["sold the {a}, got a {b}", "swapped my {a} for a {b}"], "uses": ["switched from {a} to {b}", "I use {b} now instead of {a}"], "phone_model": ["traded the {a} for a {b}"],
           "gym": ["changed gyms, {b} instead of {a}"], "doctor": ["{a} retired, my doctor is {b} now"], "takes": ["off the {a}, on {b} instead"], "manager": ["{a} left, {b} is my boss now"],
           "plays": ["I gave up {a} for {b}"], "diet": ["not {a} anymore, {b} now"], "works_as": ["I'm not a {a} anymore, I'm a {b}"]},
    "de": {"works_at": ["von {a} zu {b} gewechselt", "bei {a} bin ich weg, jetzt bei {b}"], "lives_in": ["von {a} nach {b} gezogen", "aus {a} weg, ich wohne jetzt in {b}"], "drives": ["{a} verkauft, jetzt fahre ich {b}"],
           "uses": ["statt {a} jetzt {b}", "von {a} auf {b} umgestiegen"], "takes": ["{a} abgesetzt, nehme jetzt {b}"]},
    "fr": {"works_at": ["j'ai quitté {a} pour {b}"], "lives_in": ["on a déménagé de {a} à {b}"], "uses": ["je suis passé de {a} à {b}"], "drives": ["j'ai vendu la {a}, j'ai une {b}"]},
    "es": {"works_at": ["dejé {a}, ahora estoy en {b}"], "lives_in": ["nos mudamos de {a} a {b}"], "uses": ["cambié {a} por {b}"], "drives": ["vendí el {a} y compré un {b}"]},
    "it": {"works_at": ["ho lasciato {a}, ora lavoro da {b}"], "lives_in": ["ci siamo trasferiti da {a} a {b}"], "uses": ["sono passato da {a} a {b}"]},
    "pt": {"works_at": ["saí da {a}, agora estou na {b}"], "lives_in": ["mudámo-nos de {a} para {b}"], "uses": ["troquei {a} por {b}"]},
    "nl": {"works_at": ["weg bij {a}, ik werk nu bij {b}"], "lives_in": ["verhuisd van {a} naar {b}"], "uses": ["van {a} overgestapt op {b}"]},
    "pl": {"uses": ["zamiast {a} mam teraz {b}"]}, "tr": {"uses": ["{a} yerine artık {b}"]}, "ru": {"uses": ["вместо {a} теперь {b}"]},
}
UNSAID = {
    "en": ["translate into {L}: \"{}\"", "fix the grammar: {}", "write a short story: {}, and then it rains", "is it true that somebody who says \"{}\" may be lying?", "if {}, what would you cook?",
           "the guy in the film says {}", "lyrics stuck in my head: {}", "what do people mean by \"{}\"?", "role play: you are a pirate. {}", "imagine {}", "my horoscope says {} lol", "the sign said: {}", "sample sentence for my class: {}"],
    "de": ["übersetze: \"{}\"", "im Film sagt einer: {}", "korrigier das: {}", "stell dir vor, {}", "Beispielsatz für den Kurs: {}"], "fr": ["traduis : \"{}\"", "dans le film il dit : {}", "corrige : {}", "imagine que {}"],
    "es": ["traduce: \"{}\"", "en la peli dice: {}", "corrige: {}", "imagina que {}"], "it": ["traduci: \"{}\"", "nel film dice: {}", "correggi: {}"], "pt": ["traduz: \"{}\"", "corrige: {}"], "nl": ["vertaal: \"{}\"", "verbeter: {}"],
    "pl": ["przetłumacz: \"{}\"", "popraw: {}"], "tr": ["çevir: \"{}\"", "düzelt: {}"], "ru": ["переведи: \"{}\"", "исправь: {}"],
}
LANGUAGES_SAID = ["German", "Spanish", "Samoan", "French", "Latin", "Klingon"]


class Composer:
    def __init__(self, records):
        self.values, self.names = defaultdict(lambda: defaultdict(set)), defaultdict(set)
        for r in records:
            for part, start, end, slot, act, who in r.facts:
                value = (r.before, r.text)[part][start:end]
                if slot in ("partner", "child", "sibling", "friend", "name", "colleague") and re.fullmatch(r"[^\W\d_]{3,12}", value) and value[0].isupper() and value.lower() != value:
                    self.names[r.lang].add(value)
                if slot in MAX_WORDS and act == "state" and len(value.split()) <= MAX_WORDS[slot] and len(value) < 30 and not re.search(r"[\d\n{}|.,!?]", value):
                    self.values[r.lang][slot].add(value)
        self.names = {lang: sorted(names) for lang, names in self.names.items()}
        self.values = {lang: {slot: sorted(v) for slot, v in slots.items()} for lang, slots in self.values.items()}

    def records(self, count, seed):
        """Returns that many messages, half of them English."""
        rng, made = random.Random(seed), []
        others = [lang for lang in SAID if lang != "en" and len(self.names.get(lang, ())) > 20]
        while len(made) < count:
            lang = "en" if rng.random() < 0.5 else rng.choice(others)
            text = Message(self, lang, rng).text()
            if text:
                made.append(Record("composed", lang, "", text))
        return made


class Message:
    """One message in the making; no name and no value stands in it twice."""

    def __init__(self, composer, lang, rng):
        self.lang, self.rng, self.words = lang, rng, WORDS[lang]
        self.names = rng.sample(composer.names[lang], 8)
        self.values, self.used = composer.values[lang], set()

    def text(self):
        shapes = [self.introduction] * 3 + [self.side_by_side] * 4 + [self.of_somebody] * 2 + [self.listed, self.clause, self.pronoun, self.pronoun]
        shapes += [self.unnamed, self.self_and_other, self.self_and_other] + [self.own] * 6 + [self.change] * 3
        if self.rng.random() < 0.12:
            return self.unsaid(self.rng.choice(shapes)())
        parts = [self.rng.choice(shapes)()]
        if self.rng.random() < 0.25:
            parts.append(self.rng.choice(shapes)())
        parts = [part for part in parts if part]
        if not parts:
            return ""
        # No capital stands inside a mark's slot, so the first letter of the text may become one.
        text = ". ".join(self.capital(part) for part in parts)
        if self.rng.random() < 0.2:
            text = self.rng.choice(self.words["says"]) + text[0].lower() + text[1:] if not text.startswith("{") and text[:2] != "I " and text[:2] != "I'" else text
        if self.rng.random() < 0.15 and self.lang not in ("de",):
            text = re.sub(r"\{([^|]*)\|([^|}]*)\|?([^}]*)\}", lambda m: "{" + m[1].lower() + "|" + m[2] + ("|" + m[3].lower() if m[3] else "") + "}", text)
            text = "".join(part if part.startswith("{") else part.lower() for part in re.split(r"(\{[^}]*\})", text))
        return text + self.rng.choice([".", ".", "", "!"])

    def capital(self, text):
        if self.rng.random() < 0.3:
            return text
        if text.startswith("{"):
            return text
        return text[0].upper() + text[1:]

    def name(self):
        return self.names.pop() if self.names else "Kim"

    def kin(self):
        *noun, slot, pronoun = self.rng.choice(KIN[self.lang]).split()
        return " ".join(noun), slot, pronoun

    def said(self, who=None, speaker=False, slots=None):
        """Returns what is said of somebody, marked; empty if the corpus has no value for it."""
        for _ in range(8):
            key = self.rng.choice(list(slots or SAID[self.lang]))
            slot = key.split(",")[0]
            if key in self.used:
                continue
            if slot == "age":
                value = str(self.rng.randint(2, 89))
            else:
                values = self.values.get(slot, [])
                if len(values) < 10:
                    continue
                value = self.rng.choice(values)
            if value.lower() in self.used or any(name in value for name in self.names) or (who and who in value):
                continue
            self.used |= {key, value.lower()}
            mark = "{" + value + "|" + key + (f"|{who}" if who else "") + "}"
            return SAID[self.lang][key][1 if speaker else 0].replace("{}", mark)
        return ""

    def named(self):
        """Returns a relative with name, marked, the name, and the pronoun."""
        noun, slot, pronoun = self.kin()
        name = self.name()
        comma = ", " if self.rng.random() < 0.15 else " "
        return f"{noun}{comma}{{{name}|{slot}}}" + ("," if comma == ", " else ""), name, pronoun

    def introduction(self):
        w, rng, lang = self.words, self.rng, self.lang
        if lang not in KIDS:
            return self.side_by_side()
        own = self.name()
        parts = [f"{rng.choice([w['im'], w['name']])} {{{own}|name}}"]
        if rng.random() < 0.6:
            parts.append(f"{{{rng.randint(18, 80)}|age}}")
        jobs = self.values.get("works_as", [])
        if rng.random() < 0.6 and jobs:
            job = rng.choice(jobs)
            parts.append(("a " if lang == "en" and rng.random() < 0.7 else "") + f"{{{job}|works_as}}")
        text = ", ".join(parts) if rng.random() < 0.8 else " ".join(parts)
        places = self.values.get("lives_in", [])
        if places and rng.random() < 0.75:
            text += f", {w['live']} {{{rng.choice(places)}|lives_in}}"
        family = []
        if rng.random() < 0.75:
            while True:
                noun, slot, _ = self.kin()
                if slot in ("partner", "flatmate", "parent", "sibling"):
                    break
            noun = {"mein": "meinem", "meine": "meiner", "unser": "unserem", "unsere": "unserer"}.get(noun.split()[0], noun.split()[0]) + " " + " ".join(noun.split()[1:]) if lang == "de" else noun
            partner = self.name()
            family.append(f"{noun} {{{partner}|{slot}}}")
        if rng.random() < 0.8:
            words, numbers = rng.choice(KIDS[lang])
            kids = [self.name() for _ in range(rng.choice([2, 2, 2, 3]))]
            ages = rng.random() < 0.4
            each = [f"{{{kid}|child}}" + (f" ({{{rng.randint(1, 19)}|age|{kid}}})" if ages else "") for kid in kids]
            listed = ", ".join(each[:-1]) + f" {w['and_']} {each[-1]}"
            words = " ".join(words.replace("{n}", rng.choice(numbers)).split())
            family.append(words + rng.choice([", ", ": ", " "]) + listed)
        if rng.random() < 0.2 and self.values.get("pet"):
            family.append({"en": "our dog", "de": "unserem Hund", "fr": "notre chien", "es": "nuestro perro", "it": "il nostro cane", "pt": "o nosso cão", "nl": "onze hond"}[lang] + f" {{{self.name()}|pet}}")
        if family:
            text += f" {w['with_']} " + f" {w['and_']} ".join(family)
        return text

    def side_by_side(self):
        (first, a, _), (second, b, _) = self.named(), self.named()
        keys = list(SAID[self.lang])
        one = self.said(a)
        # The same is often said of both.
        same = [key for key in self.used if key in keys]
        if same and self.rng.random() < 0.5:
            self.used -= set(same)
            two = self.said(b, slots=same)
        else:
            two = self.said(b)
        if not one or not two:
            return ""
        between = self.rng.choice([", ", f" {self.words['and_']} ", f", {self.words['but']} ", "; ", ". "] + ([f" {self.words['while_']} "] if self.words["while_"] else []))
        text = f"{first} {one}{between}{second} {two}"
        if self.rng.random() < 0.2 and (third := self.said(self.rng.choice([a, b]))):
            about = re.search(r"\|([^|}]*)\}", third)[1]
            text += f". {about} {third}"
        return text

    def of_somebody(self):
        """Somebody's partner or child: about that person, not about the speaker."""
        whom, who = self.name(), self.name()
        slot = self.rng.choice(["partner", "partner", "child"])
        nouns = RELATION[slot].get(self.lang)
        if nouns:
            noun = self.rng.choice(nouns)
            head = self.words["of"].format(a=whom, noun=noun)
        else:
            of = {"fr": "de", "es": "de", "it": "di", "pt": "de"}.get(self.lang)
            if of is None:
                return self.side_by_side()
            noun = self.rng.choice({"fr": ["la femme", "le mari", "le copain"], "es": ["la mujer", "el marido", "el novio"],
                                    "it": ["la moglie", "il marito", "il ragazzo"], "pt": ["a mulher", "o marido", "o namorado"]}[self.lang])
            slot, head = "partner", f"{noun} {of} {whom}"
        first = self.said(who)
        if not first:
            return ""
        text = f"{head} {{{who}|{slot}|{whom}}} {first}"
        if self.words["who"] and self.rng.random() < 0.4 and (more := self.said(who)):
            own = self.said(speaker=True)
            text = f"{own}, {self.words['but']} {head} {{{who}|{slot}|{whom}}}, {self.words['who']} {more}, {first}" if own else text
        elif self.rng.random() < 0.4:
            relative, a, _ = self.named()
            if other := self.said(a):
                text = f"{relative} {other} {self.words['and_']} {text}"
        return text

    def listed(self):
        if self.lang not in SIBLINGS:
            return self.side_by_side()
        names = [self.name(), self.name()]
        text = f"{self.words['has']} {self.rng.choice(SIBLINGS[self.lang])}{self.rng.choice([', ', ': '])}{{{names[0]}|sibling}} {self.words['and_']} {{{names[1]}|sibling}}"
        who = self.rng.choice(names)
        said = self.said(who)
        if said:
            text += f"{self.rng.choice(['. ', '; '])}{who} {said}"
            other = names[1 - names.index(who)]
            if self.rng.random() < 0.5 and (more := self.said(other)):
                text += f"{self.rng.choice([', ', f' ' + self.words['and_'] + ' '])}{other} {more}"
        return text

    def clause(self):
        if not self.words["who"]:
            return self.pronoun()
        relative, name, _ = self.named()
        one, two = self.said(name), self.said(name)
        return f"{relative.rstrip(',')}, {self.words['who']} {one}, {two}" if one and two else ""

    def pronoun(self):
        relative, name, pronoun = self.named()
        one, two = self.said(name), self.said(name)
        if not one or not two:
            return ""
        if self.lang in ("fr", "de", "en", "nl") or self.rng.random() < 0.3:
            if pronoun == "they":
                return f"{relative} {one} {self.words['and_']} {two}"
            return f"{relative} {one}{self.rng.choice(['. ', ', ', '; '])}{pronoun} {two}"
        return f"{relative} {one} {self.words['and_']} {two}"

    def unnamed(self):
        (one, _, _), (two, _, _) = self.kin(), self.kin()
        a, b = one.split()[-1], two.split()[-1]
        if a == b:
            return ""
        first, second = self.said(a), self.said(b)
        return f"{one} {first}{self.rng.choice([', ', f' ' + self.words['and_'] + ' '])}{two} {second}" if first and second else ""

    def own_statement(self):
        """Returns what the speaker says of themselves, in one of two ways."""
        if self.rng.random() < 0.4:
            return self.said(speaker=True)
        own = OWN[self.lang]
        for _ in range(8):
            key = self.rng.choice(list(own))
            slot = key.split(",")[0]
            if key in self.used:
                continue
            if slot in ("partner", "friend", "flatmate", "colleague", "pet", "nickname"):
                value = self.name()
            else:
                values = self.values.get(slot, [])
                if len(values) < 10:
                    continue
                value = self.rng.choice(values)
            if value.lower() in self.used:
                continue
            self.used |= {key, value.lower()}
            return self.rng.choice(own[key]).replace("{}", "{" + value + "|" + key + "}")
        return ""

    def own(self):
        """One to three statements of the speaker."""
        parts = [part for part in (self.own_statement() for _ in range(self.rng.choice([1, 1, 2, 3]))) if part]
        return self.rng.choice([", ", f" {self.words['and_']} ", ". "]).join(parts)

    def change(self):
        changes = CHANGES[self.lang]
        slot = self.rng.choice(list(changes))
        values = self.values.get(slot, [])
        if len(values) < 10:
            return self.own()
        old, new = self.rng.sample(values, 2)
        if old.lower() in new.lower() or new.lower() in old.lower():
            return ""
        text = self.rng.choice(changes[slot]).replace("{a}", f"{{{old}|{slot},end}}").replace("{b}", f"{{{new}|{slot}}}")
        if self.rng.random() < 0.3 and (more := self.own_statement()):
            text += f"{self.rng.choice(['. ', ', '])}{more}"
        return text

    def unsaid(self, text):
        """The same words where nobody states them: a task, a quotation, a supposition."""
        plain = re.sub(r"\{([^|]*)\|[^}]*\}", r"\1", text)
        if not plain:
            return ""
        return self.rng.choice(UNSAID[self.lang]).replace("{L}", self.rng.choice(LANGUAGES_SAID)).replace("{}", plain)

    def self_and_other(self):
        relative, name, _ = self.named()
        own, other = self.said(speaker=True), self.said(name)
        if not own or not other:
            return ""
        between = self.rng.choice([", ", f" {self.words['and_']} ", f", {self.words['but']} "])
        return f"{own}{between}{relative} {other}" if self.rng.random() < 0.6 else f"{relative} {other}{between}{own}"
