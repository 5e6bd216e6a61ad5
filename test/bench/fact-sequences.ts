/** Sequences of statements about things that change: what a current fact holds at the end, and what none holds any more. */
export interface Sequence {
  /** Day and words. */
  say: [string, string][];
  /** In lower case; of a plan that still stands, with `isPlanned`. */
  now?: string;
  gone?: string;
  isPlanned?: boolean;
}

const sequence = (now: string | undefined, gone: string | undefined, ...said: string[]): Sequence => ({
  say: said.map((line): [string, string] => [line.slice(0, 10), line.slice(11)]),
  ...(now !== undefined && { now }),
  ...(gone !== undefined && { gone }),
});
const planned = (now: string, gone: string | undefined, ...said: string[]): Sequence => ({
  ...sequence(now, gone, ...said),
  isPlanned: true,
});

/** Written before the rules were tuned; the rules were developed with these. */
export const DEVELOPMENT: Sequence[] = [
  sequence("lyon", "nantes", "2026-01-03 I live in Nantes.", "2026-04-09 We moved to Lyon two weeks ago."),
  sequence("siemens", "bosch", "2026-01-03 I work at Bosch.", "2026-05-03 I work for Siemens now."),
  sequence(
    "team lead",
    "developer",
    "2025-01-03 I work as a developer at Zeta.",
    "2026-02-03 I was promoted to team lead.",
  ),
  sequence(undefined, "zeta", "2025-01-03 I work at Zeta.", "2026-02-03 I quit my job at Zeta."),
  sequence(
    "green",
    "blue",
    "2026-01-03 My favourite colour is blue.",
    "2026-02-03 My favorite color is green these days.",
  ),
  sequence("vegan", "vegetarian", "2025-03-01 I'm vegetarian.", "2026-03-01 I'm vegan now."),
  sequence("walnuts", undefined, "2025-03-01 I'm allergic to peanuts.", "2025-05-01 I'm also allergic to walnuts."),
  sequence("peanuts", undefined, "2025-03-01 I'm allergic to peanuts.", "2025-05-01 I'm also allergic to walnuts."),
  sequence(
    undefined,
    "peanuts",
    "2025-03-01 I'm allergic to peanuts.",
    "2026-05-01 I'm no longer allergic to peanuts, the doctor says.",
  ),
  sequence("5 mg", "2.5 mg", "2026-01-01 My ramipril dose is 2.5 mg.", "2026-03-01 My ramipril dose is 5 mg now."),
  sequence(
    "6432",
    "5432",
    "2026-01-01 The port of the staging database is 5432.",
    "2026-03-01 The port of the staging database is 6432.",
  ),
  sequence(
    "marco",
    "elif",
    "2026-01-01 Elif owns the search service.",
    "2026-03-01 Marco took over the search service.",
  ),
  sequence("3.2", "3.1", "2026-01-01 The version of atlas is 3.1.", "2026-03-01 The version of atlas is 3.2."),
  sequence(
    "friday",
    "monday",
    "2026-01-01 The deadline for the grant is Monday.",
    "2026-01-05 The deadline for the grant was moved from Monday to Friday.",
  ),
  sequence(
    "900 ms",
    "400 ms",
    "2026-01-01 The carrier timeout is 400 ms.",
    "2026-02-01 The carrier timeout was bumped from 400 ms to 900 ms.",
  ),
  sequence(undefined, "coffee", "2026-01-01 I drink coffee every morning.", "2026-02-01 I don't drink coffee anymore."),
  sequence(undefined, "piano", "2026-01-01 I play the piano.", "2026-02-01 I stopped playing the piano."),
  sequence("rex", undefined, "2026-01-01 I have a dog named Rex."),
  sequence(undefined, "volvo", "2024-01-01 I drive a Volvo.", "2026-02-01 I sold the Volvo."),
  sequence("kia", "volvo", "2024-01-01 I drive a Volvo.", "2026-02-01 I bought a Kia last week."),
  planned(
    "oslo",
    "14 may",
    "2026-04-01 I'm flying to Oslo on 14 May 2027.",
    "2026-04-03 I'm flying to Oslo on 21 May 2027.",
  ),
  sequence(
    undefined,
    "lisbon",
    "2026-04-01 We're going to Lisbon in March 2027.",
    "2026-05-01 The Lisbon trip is off.",
  ),
  sequence(
    undefined,
    "marathon",
    "2026-04-01 I'm going to run the Hamburg marathon in April 2027.",
    "2026-05-01 I cancelled the marathon.",
  ),
  sequence(
    "tom",
    "sam",
    "2025-01-01 I'm dating Sam.",
    "2025-06-01 I broke up with Sam.",
    "2026-06-01 I'm engaged to Tom.",
  ),
  sequence("broke up", undefined, "2025-01-01 Ada is married to Ben.", "2026-06-01 Ada and Ben broke up."),
  sequence("4471", "9026", "2026-01-01 My locker code is 9026.", "2026-03-01 My locker code is 4471 now."),
  sequence("7 may", "6 may", "2026-01-01 My birthday is 6 May.", "2026-01-02 Correction: my birthday is 7 May."),
  sequence(
    "paris",
    "rome",
    "2026-01-01 I moved to Paris.",
    "2026-03-01 I moved to Rome.",
    "2026-06-01 I'm back in Paris for good.",
  ),
  sequence("hazel", undefined, "2026-01-01 My daughter Hazel lives in Ghent.", "2026-02-01 Hazel works for Umicore."),
  sequence(
    "umicore",
    "ghent",
    "2026-01-01 My daughter Hazel lives in Ghent.",
    "2026-02-01 Hazel moved to Bruges and works for Umicore.",
  ),
];

/** Kept apart for the figure. */
export const HELD_OUT: Sequence[] = [
  sequence(
    "porto",
    "madrid",
    "2026-01-03 I'm living in Madrid at the moment.",
    "2026-04-09 I relocated to Porto last month.",
  ),
  sequence("ikea", "tesco", "2026-01-03 I've worked at Tesco since 2019.", "2026-05-03 I started at Ikea in April."),
  sequence("nurse", undefined, "2025-01-03 I'm a nurse.", "2025-02-03 I work on a cardiac ward."),
  sequence(undefined, "lidl", "2025-01-03 I work for Lidl.", "2026-02-03 I left Lidl in January."),
  sequence("jazz", "techno", "2026-01-03 My favourite music is techno.", "2026-02-03 My favourite music is jazz now."),
  sequence("pescatarian", "vegan", "2025-03-01 I am vegan.", "2026-03-01 I'm pescatarian since January."),
  sequence("dogs", undefined, "2025-03-01 I love dogs.", "2025-05-01 I love cats too."),
  sequence(undefined, "sushi", "2025-03-01 I love sushi.", "2026-05-01 I don't like sushi anymore."),
  sequence(
    undefined,
    "gluten",
    "2025-03-01 I'm intolerant to gluten.",
    "2026-05-01 I'm not intolerant to gluten any more.",
  ),
  sequence(
    "20 mg",
    "10 mg",
    "2026-01-01 Mum's statin dose is 10 mg.",
    "2026-03-01 Mum's statin dose went from 10 mg to 20 mg.",
  ),
  sequence("8443", "8080", "2026-01-01 gateway listens on 8080.", "2026-03-01 gateway listens on 8443 now."),
  sequence(
    "priya",
    "jonas",
    "2026-01-01 Jonas leads the payments team.",
    "2026-03-01 Priya leads the payments team now.",
  ),
  sequence("16.3", "14.9", "2026-01-01 The postgres version is 14.9.", "2026-03-01 The postgres version is 16.3."),
  sequence(
    "30 june",
    "15 june",
    "2026-01-01 Our deadline is 15 June.",
    "2026-01-05 Our deadline is 30 June instead of 15 June.",
  ),
  sequence(
    "59",
    "49",
    "2026-01-01 The price of the basic plan is 49 euros.",
    "2026-02-01 The price of the basic plan is 59 euros.",
  ),
  sequence(undefined, "cigars", "2026-01-01 I smoke cigars.", "2026-02-01 I quit smoking cigars."),
  sequence(undefined, "chess", "2026-01-01 I play chess on Tuesdays.", "2026-02-01 I no longer play chess."),
  sequence("miso", undefined, "2026-01-01 We adopted a cat called Miso."),
  sequence(undefined, "vespa", "2024-01-01 I ride a Vespa.", "2026-02-01 I sold my Vespa."),
  sequence("skoda", "fiat", "2024-01-01 I drive a Fiat.", "2026-02-01 I drive a Skoda now."),
  planned("dublin", undefined, "2026-04-01 I'm planning to visit Dublin in June 2027."),
  sequence(
    undefined,
    "crete",
    "2026-04-01 I'm flying to Crete on 3 July 2027.",
    "2026-05-01 The Crete holiday has been cancelled.",
  ),
  sequence(
    undefined,
    "workshop",
    "2026-04-01 I will give a workshop in Bonn on 2 March 2027.",
    "2026-05-01 The workshop was called off.",
  ),
  sequence("kim", "alex", "2025-01-01 My partner is Alex.", "2026-06-01 My partner is Kim."),
  sequence("divorced", "married", "2025-01-01 I'm married.", "2026-06-01 I'm divorced."),
  sequence("2210", "1199", "2026-01-01 The alarm code is 1199.", "2026-03-01 The alarm code is 2210 now."),
  sequence("hannah", "anna", "2026-01-01 My teacher is Anna.", "2026-01-02 Actually my teacher is Hannah, not Anna."),
  sequence("vienna", "graz", "2026-01-01 I live in Vienna.", "2026-03-01 I used to live in Graz."),
  sequence("tromsø", "bergen", "2026-01-01 My brother Nils lives in Bergen.", "2026-02-01 Nils moved to Tromsø."),
  sequence("fastmail", "gmail", "2026-01-01 I use Gmail for work.", "2026-02-01 I switched from Gmail to Fastmail."),
];
