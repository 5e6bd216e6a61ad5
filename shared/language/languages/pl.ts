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
} satisfies LanguagePack;
