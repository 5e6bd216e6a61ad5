import { setOf } from "../../kernel/strings.ts";

/** Words that deny what a sentence says, folded. */
export const DENIALS = setOf(
  `no not never without cancelled canceled cant dont didnt isnt wasnt arent wont havent hasnt doesnt couldnt wouldnt nobody none
   nicht kein keine keinen keinem keiner nie niemals ohne abgesagt ausgefallen
   pas jamais aucun aucune sans annule annulee nunca jamas sin tampoco cancelado cancelada non mai nessun senza annullato
   nao sem niet geen nooit zonder nie nigdy bez ani odwolany odwolana odwolano не нет без никогда degil yok asla`,
);

/** Words that make a sentence a condition or a wish, folded. */
export const CONDITIONS = setOf(
  `if unless wish maybe perhaps wenn falls vielleicht si peutetre quizas ojala forse talvez gdyby gdybym misschien если eger belki`,
);

/** Words that make a clause a wish or a plan, folded. */
export const PLANS = setOf(
  `would could might hope hoping will shall gonna ill wanna plan planning planned should
   wurde wurden konnte konnten mochte mochten will werde wollen wollte hoffe plane
   voudrais aimerais aimerait pourrais pourrait veux vais
   quisiera querria podria pudiera quiero voy iria gustaria vorrei potrei voglio queria gostaria quero vou
   zou wil ga moglabym moglbym chce zamierzam polecialabym бы может хочу istiyorum`,
);

/** Words that say nothing about what a sentence is about, folded: times, adverbs and verbs without a meaning of their own. */
export const GENERIC = setOf(
  `today yesterday tomorrow tonight morning afternoon evening night noon week weeks weekend month months year years day days hour
   hours minute minutes monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
   saturdays sundays january february march april may june july august september october november december jan feb mar apr jun jul
   aug sep sept oct nov dec spring summer autumn winter time times now then soon later ago once twice again still already yet
   always often sometimes usually really very quite pretty just only even also too almost finally actually though anyway maybe
   well back away here there everywhere first second third last next new old good great nice bad better best worse big small
   little long short more most less least much many few some any every each other another same own thing things stuff bit lot
   one two three four five six seven eight nine ten half round number something someone everyone everything nothing anything
   be am is are was were been being have has had having do does did done doing get got gets getting go goes going gone went come
   comes came coming make makes made making take takes took taken taking give gave given put say says said saying tell told think
   thought know knew like liked want wanted need needed let keep kept seem seems look looks looked feel felt become became can
   says call called see saw seen left right since until till ever least lol ok okay yes yeah yep oh hey hi hello thanks thank
   please sorry lol haha btw tbh whole kind sort way start started end ended use used using try tried show showed shown
   heute gestern morgen abend abends nacht mittag woche wochen wochenende monat monate jahr jahre tag tage stunde stunden uhr
   minuten montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar marz april mai juni juli oktober dezember
   wieder erneut schon noch immer endlich jetzt dann bald spater fast ganz gar mal einmal zweimal mehr weniger viel viele wenig
   neu neue neuer neuen neues alt alte gut gute guter gutes sehr etwas alles nichts diesmal also dabei doch eben wegen weiter
   bin bist sein gewesen habe hab hast haben gehabt machen macht gemacht gehen geht gegangen kommen kommt gekommen sagen sagt
   gesagt geben gibt gegeben werden geworden lassen soll sollte muss musste kann darf steht waren fertig lange langsam hier da
   letzte letzten letzter letztes nachste nachsten erste ersten erster erstes
   aujourdhui hier demain matin matinee soir soiree midi nuit semaine semaines mois annee annees jour jours heure heures
   lundi mardi mercredi jeudi vendredi samedi dimanche janvier fevrier mars avril mai juin juillet aout septembre octobre novembre
   decembre encore toujours deja enfin maintenant alors bientot puis fois premier premiere dernier derniere nouveau nouvelle
   bon bonne mieux moins beaucoup peu rien tout toute tous toutes autre meme rien etre etais ete fait faire fais va vont allee
   alle aller suis sommes avons avez avoir avais dit dire met mis pris prendre finalement pendant depuis jusque
   hoy ayer manana tarde noche mediodia semana semanas mes meses ano anos dia dias hora horas lunes martes miercoles jueves viernes
   sabado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre otra otro vez veces
   siempre todavia aun fin ahora luego pronto ya casi bien mal mejor peor mucho mucha muchos poco nada todo toda todos nuevo nueva
   viejo primera primer primero ultima ultimo ser soy sido estar estoy hemos hecho hacer hace hizo haber hubo hay ir ver dar tener
   tengo decir dijo dicho volvi volver empieza sigue hasta desde algo unos unas
   oggi ieri domani mattina sera notte settimana mese anno giorno ora volta volte ancora sempre finalmente adesso poi presto nuovo
   nuova bene male meglio molto poco tutto niente primo prima ultimo fatto fare essere avere stato stata andata andato
   hoje ontem amanha manha tarde noite semana mes ano dia hora vez vezes ainda sempre agora logo depois novo nova bem mal melhor
   muito pouco tudo nada fazer feito ser ter foi
   vandaag gisteren morgen avond week maand jaar dag uur keer weer altijd eindelijk nu straks nieuw nieuwe goed beter veel weinig
   alles niets gedaan doen gaan gegaan
   dzis dzisiaj wczoraj jutro rano wieczorem tydzien tygodnie miesiac rok lat dzien dni godzina godzin minut poniedzialek wtorek sroda
   czwartek piatek sobota niedziela stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrzesnia pazdziernika listopada
   grudnia znowu znow jeszcze zawsze juz wreszcie teraz potem wkrotce raz razy nowy nowa nowe dobrze lepiej duzo malo wszystko nic
   pierwszy pierwsza pierwsze ostatni ostatnia bylam bylem byl byla bylo jest sa mam mial miala trzeci drugi tez tylko bardzo
   sie na do od po przed przy pod nad jej jego ich przez dla oraz albo ale czy jak co kto gdzie kiedy moj moja moje nasz
   сегодня вчера завтра утром вечером неделя месяц год день час снова опять уже еще всегда теперь потом раз новый очень
   bugun dun yarin sabah aksam gece hafta ay yil gun saat yine tekrar artik hep simdi sonra kez defa yeni cok`,
);
