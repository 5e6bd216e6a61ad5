import type { LanguagePack } from "./pack.ts";

export const pl = {
  name: "Polish",
  letters: "ąćęłńśźż",
  functionWords: `
    i w z na do nie się że jest są był była było były to ten ta te tego tej tym ja ty on ona my wy oni mnie mi mój moja moje
    twój jego jej ich jak co kto gdzie kiedy dlaczego czy ale lub albo o po za od przez przy dla bez pod nad u ze we który
    która które mam masz ma mamy jestem jesteś być już tylko też`,
  markers: `
    teraz tak bo jeszcze zawsze będzie proszę ktoś jednak dwa trzy nic dziś jutro wczoraj dzień lat rok tu tam
    nigdy może możesz chcę muszę można bardzo więc niech swoje sobie żeby coś pan pani moim mojej moją nasz nasza
    mówi wiem dzięki jem wraca mówił maja lata kod dobry kiedyś rano robi stałe chce czerwca sam soboty marcu
    chodzę nawet chórze mięsa potem mieszka babcia razy podaj roku`,
  dates: {
    months:
      "stycznia|styczeń|styczniu;lutego|luty|lutym;marca|marzec|marcu;kwietnia|kwiecień|kwietniu;maja|maj|maju;czerwca|czerwiec|czerwcu;lipca|lipiec|lipcu;sierpnia|sierpień|sierpniu;września|wrzesień|wrześniu;października|październik|październiku;listopada|listopad|listopadzie;grudnia|grudzień|grudniu",
    weekdays:
      "poniedziałek|poniedziałku;wtorek|wtorku;środa|środę;czwartek|czwartku;piątek|piątku;sobota|sobotę;niedziela|niedzielę",
    habits: "poniedziałki;wtorki;środy;czwartki;piątki;soboty;niedziele",
    ambiguous: "maj|maja|luty",
    units:
      "minuta|minuty|minut|minutę;godzina|godziny|godzin|godzinę;dzień|dni|dnia;tydzień|tygodnie|tygodni|tygodniu;weekend|weekendu;miesiąc|miesiące|miesięcy|miesiącu;rok|lata|lat|roku",
    seasons: "wiosna|wiosnę|wiosną;lato|latem;jesień|jesienią|jesieni;zima|zimę|zimą",
    numbers:
      "jeden|jedną;dwa|dwie;trzy;cztery;pięć;sześć;siedem;osiem;dziewięć;dziesięć;jedenaście;dwanaście;trzynaście;czternaście;piętnaście",
    few: "kilka|parę",
    days: "przedwczoraj;wczoraj;dzisiaj|dziś;jutro;pojutrze",
    last: "zeszły|zeszłym|zeszłą|zeszłego|ubiegły|ubiegłym|ubiegłą|ubiegłego|poprzedni|poprzednim",
    this: "ten|tym|tę|tego|bieżącym",
    next: "następny|następnym|następną|przyszły|przyszłym|przyszłą|przyszłego",
    coming: "najbliższy|najbliższą|najbliższym",
    nextIsOfNextWeek: true,
    pastMany: "ostatnie|ostatnich|minione",
    nextMany: "następne|następnych|najbliższe|kolejne",
    ago: "temu",
    ahead: "za",
    later: "później",
    nextDay: "następnego dnia|nazajutrz",
    every: "co|każdy|każdą|każde",
    onDay: "dnia|od|do",
    on: "w|we|od|do|na|dnia|przed|po|około|koło|początek|koniec|połowa",
    weak: "po|przed|na|do",
    since: "od",
    until: "do",
    before: "przed",
    after: "po",
    from: "od|z",
    to: "do",
    between: "między|pomiędzy",
    and: "i",
    article: "",
    at: "o|około",
    am: "rano",
    pm: "po południu|wieczorem",
    approximate: "około|prawie|mniej więcej",
    holidays: {
      "12-24": "wigilia|wigilię",
      "12-25": "boże narodzenie",
      "12-31": "sylwester|sylwestra",
      "1-1": "nowy rok",
    },
    due: "termin|data",
    past: /^(?:był[aoy]?|byli|\p{L}{2,}(?:łem|łam|liśmy|łyśmy)|\p{L}{2,}[aeiyąęu]ł[aoy]?|\p{L}{2,}[aiyeę]li)$/u,
    future:
      /^(?:będę|będziesz|będzie|będziemy|będziecie|będą|zamierzam|planuję|muszę|chcę|jadę|jedziemy|lecę|lecimy|idę|idziemy|wyjeżdżamy?|przeprowadzamy?|zaczynamy?)$/u,
    functionWords: "i|w|z|na|do|nie|się|że|jest|są|od|dla|przez|już|mój|moja|mnie|jak",
  },
  questions: {
    time: "kiedy",
    asked: {
      bloodGroup: "grupę krwi|grupa krwi",
      otherName: "nazwisko",
      code: "numer|telefonu|hasło",
      age: "wiek|ile lat",
      colour: "kolor|kolorze",
      amount: "ile|kosztuje|kosztował|kosztowała|pensja",
      name: "imię|nazywa",
    },
  },
  values: {
    streetsBefore: "ulica",
    numbers: "dwa dwie trzy cztery pięć sześć",
    colours: "czerwony czerwona niebieski zielony żółty czarny czarna biały biała szary",
    ages: "lat lata rok",
  },
  rules: {
    conjunctions: "jeśli|jeżeli|gdy|kiedy|jak tylko",
    consequents: "to|wtedy",
    prepositions: "w razie|w przypadku|przed|po",
    please: "proszę|zawsze",
    personal: "ja|my|mnie|mi|nas|nam|jutro|wczoraj|dzisiaj|dziś",
    stated: "on|ona|ono|oni|jest|są|był|była|było|były",
  },
  cues: {
    negations: "nie nigdy bez",
    imagined: "może gdyby jeśli",
    claimed: "mówi twierdzi podobno rzekomo",
    formerly: "dawniej kiedyś",
    cancelled: "odwołan[aey]",
    lasting: "zawsze nigdy odtąd",
    clauseOpenings: "ale",
    thirdPerson: "ona",
    others: `
      mama tata siostra brat żona mąż syn córka babcia dziadek ciocia wujek sąsiad sąsiadka kolega koleżanka
      szef pies kot`,
  },
  mentions: {
    since: "od",
    until: "do",
    determiners: "mój moja moje mojego mojej nasz nasza",
  },
  assertions: {
    denials: "ani odwolany odwolana odwolano",
    conditions: "gdyby gdybym",
    plans: "moglabym moglbym chce zamierzam polecialabym",
    clockPrepositions: "o",
    measures: "minut godzin",
    generic: `
      dzis dzisiaj wczoraj jutro rano wieczorem tydzien tygodnie miesiac rok lat dzien dni godzina godzin minut
      poniedzialek wtorek sroda czwartek piatek sobota niedziela stycznia lutego marca kwietnia maja czerwca
      lipca sierpnia wrzesnia pazdziernika listopada grudnia znowu znow jeszcze zawsze juz wreszcie teraz potem
      wkrotce raz razy nowy nowa nowe dobrze lepiej duzo malo wszystko nic pierwszy pierwsza pierwsze ostatni
      ostatnia bylam bylem byl byla bylo jest sa mam mial miala trzeci drugi tez tylko bardzo sie na do od po
      przed przy pod nad jej jego ich przez dla oraz albo ale czy jak co kto gdzie kiedy moj moja moje nasz`,
  },
  voices: {
    speech: "napisa* pisze mówi powiedział* odpowiedział* pyta",
    texts: `
      wiadomoś* list listu tekst tekstu transkrypcja cytat wiersz piosenk* rozmow* historia opowiadani* recenzj*
      komentarz* przykład zdani*`,
    tasks: "przetłumacz* streś* podsumuj* popraw* skróć przeanalizuj* wyjaśnij sprawdź",
    pointing: "(?<=[ćźśńj]_|acz_|popraw_)to ten tę następując* poniżej powyższ*",
    fiction: "do_mojego_opowiadania wyobraź_sobie udawaj zabawmy_się",
    ownLabels: "uwaga ważne przypomnienie pamiętaj zasada* przy_okazji o_mnie",
    firstPerson: "mam mój moja moje jestem mieszkam",
    secondPerson: "ty ci",
    orders: "zawsze nigdy",
    documents: "artykuł* strona dokument* plik wynik",
    returns: "zresztą a_propos co_do_mnie z_mojej_strony (?:czy_)?(?:możesz|mógłbyś|mogłabyś|możecie)",
    asides: "przy_okazji",
  },
  courtesies: {
    words: "czesc dziekuje nie",
    answers: "tak nie",
  },
  secrets: {
    phrases: "fraza",
    passwords: "hasło hasła hasłem hasłu hasle haslo haslem haseł fraza",
    codes: "kod *kod kodu kodem kody kode",
    keys: "klucz*",
    access: `
      zaloguj* logowan* logow* logu* odblok* sieć sieci wpisz* wpisuj* wpisa* wchodz* otwier* wszędzie bank* gości`,
    users: "użytkown*",
    changes: "zmieni* ustawi* nowe nowy",
    sent: "przyszedł przyszła dostałem dostałam wysłali przysłał*",
    others: "zamówieni* faktur* pociąg miejsce klient* brama bramy domofon* drzwi szafk* kłódk* paczk* przesyłk*",
    devices: "telefon* komputer* karty karta kartę kart*",
    backups: "zapasow* odzyskiwania awaryjn*",
    answers: "pytani* odpowied*",
    hashes: "odcisk suma_kontrolna",
    examples: "przykład",
    equals: "to brzmi jest",
    copulas: "to było jest na brzmi z teraz jako",
    notPasswords: `
      błędne niepoprawne poprawne nieprawidłowe wygasłe słabe silne bezpieczne zapomniane zmienione puste długie
      krótkie za takie samo nowe stare nie mój moje nasze na w pod tu tam bardzo zawsze zgubione wymagane ważne łatwe
      trudne palcem twarzą kluczem kartą odciskiem myszką`,
    passports: String.raw`paszport(?:u)?|dow[oó]d(?:u)?(?: osobist\p{L}{1,3})?|prawo jazdy`,
  },
  moods: {
    lasting: "od teraz",
    changes: "zmie[nń]",
    remembers: String.raw`zapamięta\p{L}*|zanotuj`,
    leads: "ja|mam|jestem|mój|moja",
    clauses: "mam|jestem",
    own: String.raw`mój|moj\p{L}+`,
  },
  mails: {
    mailFields: "od|do|temat|wysłano",
    mailSubjects: "temat",
    salutations: "drog[ia]|szanown[ya]",
    greetings: "cześć",
    closings: "z poważaniem|pozdrawiam|pozdrowienia",
    thanks: "dzięki",
  },
  intros: {
    owned: "mój|moja",
    please: "proszę",
    conditions: "gdy|kiedy",
    addressed: "ty",
    ahead: "następująco|poniżej",
    from: "od",
    handsOver: "przetłumacz",
  },
} satisfies LanguagePack;
