/**
 * Sequences of statements about things that change, with the value that a current fact must hold at the end and the
 * value that none may hold.
 */
export interface Sequence {
  /** The day and the words of each statement. */
  say: [string, string][];
  /** Values in lower case; with `isPlanned`, of a plan that is still valid. */
  now?: string;
  gone?: string;
  isPlanned?: boolean;
}

const NOTHING = "-";
const PLANNED = "planned ";

/**
 * Parses one sequence per line: the value valid at the end ("planned …" for a plan), the value no longer valid, and the
 * statements, each with its day.
 */
function sequences(table: string): Sequence[] {
  const lines = table.trim().split("\n");
  return lines.map((line) => {
    const [now = NOTHING, gone = NOTHING, ...said] = line.split(" | ");
    const say = said.map((each): [string, string] => [each.slice(0, 10), each.slice(11).replaceAll("\\n", "\n")]);
    const isPlanned = now.startsWith(PLANNED);
    return {
      say,
      ...(now !== NOTHING && { now: isPlanned ? now.slice(PLANNED.length) : now }),
      ...(gone !== NOTHING && { gone }),
      ...(isPlanned && { isPlanned }),
    };
  });
}

/** Written before the rules were tuned, and used to develop them. */
export const DEVELOPMENT: Sequence[] = sequences(String.raw`
lyon | nantes | 2026-01-03 I live in Nantes. | 2026-04-09 We moved to Lyon two weeks ago.
siemens | bosch | 2026-01-03 I work at Bosch. | 2026-05-03 I work for Siemens now.
team lead | developer | 2025-01-03 I work as a developer at Zeta. | 2026-02-03 I was promoted to team lead.
- | zeta | 2025-01-03 I work at Zeta. | 2026-02-03 I quit my job at Zeta.
green | blue | 2026-01-03 My favourite colour is blue. | 2026-02-03 My favorite color is green these days.
vegan | vegetarian | 2025-03-01 I'm vegetarian. | 2026-03-01 I'm vegan now.
walnuts | - | 2025-03-01 I'm allergic to peanuts. | 2025-05-01 I'm also allergic to walnuts.
peanuts | - | 2025-03-01 I'm allergic to peanuts. | 2025-05-01 I'm also allergic to walnuts.
- | peanuts | 2025-03-01 I'm allergic to peanuts. | 2026-05-01 I'm no longer allergic to peanuts, the doctor says.
5 mg | 2.5 mg | 2026-01-01 My ramipril dose is 2.5 mg. | 2026-03-01 My ramipril dose is 5 mg now.
6432 | 5432 | 2026-01-01 The port of the staging database is 5432. | 2026-03-01 The port of the staging database is 6432.
marco | elif | 2026-01-01 Elif owns the search service. | 2026-03-01 Marco took over the search service.
3.2 | 3.1 | 2026-01-01 The version of atlas is 3.1. | 2026-03-01 The version of atlas is 3.2.
friday | monday | 2026-01-01 The deadline for the grant is Monday. | 2026-01-05 The deadline for the grant was moved from Monday to Friday.
900 ms | 400 ms | 2026-01-01 The carrier timeout is 400 ms. | 2026-02-01 The carrier timeout was bumped from 400 ms to 900 ms.
- | coffee | 2026-01-01 I drink coffee every morning. | 2026-02-01 I don't drink coffee anymore.
- | piano | 2026-01-01 I play the piano. | 2026-02-01 I stopped playing the piano.
rex | - | 2026-01-01 I have a dog named Rex.
- | volvo | 2024-01-01 I drive a Volvo. | 2026-02-01 I sold the Volvo.
kia | volvo | 2024-01-01 I drive a Volvo. | 2026-02-01 I bought a Kia last week.
planned oslo | 14 may | 2026-04-01 I'm flying to Oslo on 14 May 2027. | 2026-04-03 I'm flying to Oslo on 21 May 2027.
- | lisbon | 2026-04-01 We're going to Lisbon in March 2027. | 2026-05-01 The Lisbon trip is off.
- | marathon | 2026-04-01 I'm going to run the Hamburg marathon in April 2027. | 2026-05-01 I cancelled the marathon.
tom | sam | 2025-01-01 I'm dating Sam. | 2025-06-01 I broke up with Sam. | 2026-06-01 I'm engaged to Tom.
broke up | - | 2025-01-01 Ada is married to Ben. | 2026-06-01 Ada and Ben broke up.
4471 | 9026 | 2026-01-01 My locker code is 9026. | 2026-03-01 My locker code is 4471 now.
7 may | 6 may | 2026-01-01 My birthday is 6 May. | 2026-01-02 Correction: my birthday is 7 May.
paris | rome | 2026-01-01 I moved to Paris. | 2026-03-01 I moved to Rome. | 2026-06-01 I'm back in Paris for good.
hazel | - | 2026-01-01 My daughter Hazel lives in Ghent. | 2026-02-01 Hazel works for Umicore.
umicore | ghent | 2026-01-01 My daughter Hazel lives in Ghent. | 2026-02-01 Hazel moved to Bruges and works for Umicore.
elif | marco | 2026-01-01 Marco is the treasurer of the choir. | 2026-03-01 Elif becomes treasurer of the choir.
21 may | 14 may | 2026-04-01 The launch is on 14 May. | 2026-04-09 They pushed the launch to 21 May.
thursdays | tuesdays | 2026-01-01 Training: Tuesdays 18:30 | 2026-03-01 The training is on Thursdays now.
- | coeliac | 2026-01-01 Lea is coeliac. | 2026-03-01 Lea's test was wrong. She isn't coeliac.
ruben | dagny | 2026-01-01 who owns what:\n\nbilling-svc ..... Dagny Moll\nalert-router .... Tom | 2026-03-01 billing-svc goes to Ruben together with the router
dienstags | donnerstags | 2026-01-01 Die Proben sind jetzt donnerstags um acht. | 2026-03-01 Die Probe ist wieder dienstags.
`);

/** Held out for the reported figure. */
export const HELD_OUT: Sequence[] = sequences(String.raw`
porto | madrid | 2026-01-03 I'm living in Madrid at the moment. | 2026-04-09 I relocated to Porto last month.
ikea | tesco | 2026-01-03 I've worked at Tesco since 2019. | 2026-05-03 I started at Ikea in April.
nurse | - | 2025-01-03 I'm a nurse. | 2025-02-03 I work on a cardiac ward.
- | lidl | 2025-01-03 I work for Lidl. | 2026-02-03 I left Lidl in January.
jazz | techno | 2026-01-03 My favourite music is techno. | 2026-02-03 My favourite music is jazz now.
pescatarian | vegan | 2025-03-01 I am vegan. | 2026-03-01 I'm pescatarian since January.
dogs | - | 2025-03-01 I love dogs. | 2025-05-01 I love cats too.
- | sushi | 2025-03-01 I love sushi. | 2026-05-01 I don't like sushi anymore.
- | gluten | 2025-03-01 I'm intolerant to gluten. | 2026-05-01 I'm not intolerant to gluten any more.
20 mg | 10 mg | 2026-01-01 Mum's statin dose is 10 mg. | 2026-03-01 Mum's statin dose went from 10 mg to 20 mg.
8443 | 8080 | 2026-01-01 gateway listens on 8080. | 2026-03-01 gateway listens on 8443 now.
priya | jonas | 2026-01-01 Jonas leads the payments team. | 2026-03-01 Priya leads the payments team now.
16.3 | 14.9 | 2026-01-01 The postgres version is 14.9. | 2026-03-01 The postgres version is 16.3.
30 june | 15 june | 2026-01-01 Our deadline is 15 June. | 2026-01-05 Our deadline is 30 June instead of 15 June.
59 | 49 | 2026-01-01 The price of the basic plan is 49 euros. | 2026-02-01 The price of the basic plan is 59 euros.
- | cigars | 2026-01-01 I smoke cigars. | 2026-02-01 I quit smoking cigars.
- | chess | 2026-01-01 I play chess on Tuesdays. | 2026-02-01 I no longer play chess.
miso | - | 2026-01-01 We adopted a cat called Miso.
- | vespa | 2024-01-01 I ride a Vespa. | 2026-02-01 I sold my Vespa.
skoda | fiat | 2024-01-01 I drive a Fiat. | 2026-02-01 I drive a Skoda now.
planned dublin | - | 2026-04-01 I'm planning to visit Dublin in June 2027.
- | crete | 2026-04-01 I'm flying to Crete on 3 July 2027. | 2026-05-01 The Crete holiday has been cancelled.
- | workshop | 2026-04-01 I will give a workshop in Bonn on 2 March 2027. | 2026-05-01 The workshop was called off.
kim | alex | 2025-01-01 My partner is Alex. | 2026-06-01 My partner is Kim.
divorced | married | 2025-01-01 I'm married. | 2026-06-01 I'm divorced.
2210 | 1199 | 2026-01-01 The alarm code is 1199. | 2026-03-01 The alarm code is 2210 now.
hannah | anna | 2026-01-01 My teacher is Anna. | 2026-01-02 Actually my teacher is Hannah, not Anna.
vienna | graz | 2026-01-01 I live in Vienna. | 2026-03-01 I used to live in Graz.
tromsø | bergen | 2026-01-01 My brother Nils lives in Bergen. | 2026-02-01 Nils moved to Tromsø.
fastmail | gmail | 2026-01-01 I use Gmail for work. | 2026-02-01 I switched from Gmail to Fastmail.
ines | tom | 2026-01-01 Tom is CEO of Larkwire. | 2026-03-01 Ines is the new CEO of Larkwire.
2 june | 12 may | 2026-04-01 My dentist appointment is on 12 May. | 2026-04-09 The dentist appointment was moved to 2 June.
wednesdays | mondays | 2026-01-01 The book club is on Mondays. | 2026-03-01 We moved the book club to Wednesdays.
- | vegan | 2026-01-01 I'm vegan. | 2026-03-01 I'm not vegan any more.
7311 | 7310 | 2026-01-01 Ports:\n- geo-cache: 7300\n- notify-hub: 7310 | 2026-03-01 notify-hub listens on 7311 now.
le jeudi | le mardi | 2026-01-01 Le cours est le mardi à 18h. | 2026-03-01 Le cours est désormais le jeudi.
claire duval | aoife brennan | 2026-01-01 mi editora es Aoife Brennan. | 2026-03-01 Mi nueva editora es Claire Duval.
- | planned | 2026-04-01 Abara wants to do an ablation in June. | 2026-05-01 So I'm not having it. No ablation.
`);
