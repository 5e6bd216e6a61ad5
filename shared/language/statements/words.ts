import { setOf } from "../../kernel/strings.ts";
import { allWords } from "../languages/lists.ts";

/** English word lists that the tagger's lexicon lacks. */

/** Last words of organizations' names. */
export const ORGANIZATION_ENDINGS = setOf(`
  inc ltd llc gmbh corp corporation company co university college school institute academy foundation association society
  union bank agency ministry department group team club band orchestra choir church council committee party press
  activists alliance network studios labs league federation charity trust airlines hospital
  ag se kg kgaa sa sarl sas nv bv ab oy as plc spa srl pty lp`);

/** First words of organizations' names, in languages that put the kind first. */
export const ORGANIZATION_BEGINNINGS = setOf(allWords(({ names }) => names?.organizations));

/** Programming languages, databases, systems and tools that a lexicon confuses with places or people. */
export const TECHNOLOGIES = setOf(`
  typescript javascript python rust java kotlin swift ruby php perl golang scala haskell elixir erlang clojure postgres postgresql
  mysql sqlite redis kafka mongodb cassandra dynamodb elasticsearch opensearch kubernetes docker linux ubuntu debian windows macos
  android ios react vue angular svelte nextjs django rails flask spring terraform ansible git github gitlab jenkins buildkite nginx
  figma notion slack jira excel photoshop`);

/** Holidays, and days and months of other languages, which may be capitalized. */
export const CALENDAR_WORDS = setOf(allWords(({ names }) => names?.days));

/** Last words of places' names. */
export const PLACE_ENDINGS = setOf(`
  park canyon lake river mountain mountains mount beach street avenue road boulevard island islands bay bridge museum
  hotel valley falls desert forest square plaza station airport castle palace harbor port gardens garden zoo stadium
  theater theatre gallery library cathedral temple café cafe restaurant market mall`);

/** Places without a name. */
export const COMMON_PLACES = setOf(`
  beach museum park church school university college hospital gym café cafe restaurant studio center centre library
  shelter theater theatre cinema zoo stadium airport hotel farm market mall bakery bar pub office clinic garden gallery
  mosque synagogue temple castle lake river forest mountains desert island village playground campground campsite
  aquarium courthouse embassy bookstore pharmacy supermarket`);

/** Groups without a name; informative only with a modifier. */
export const UNNAMED_GROUPS = setOf(`
  group agency club team band company organization organisation charity committee council foundation firm startup
  association choir orchestra union`);

/** Adjectives of opinion or selection that do not describe a kind. */
export const PLAIN_QUALITIES = setOf(`
  great good nice cool awesome amazing beautiful lovely gorgeous wonderful cute fun best favorite favourite huge big small
  little tiny new old young same other another different next last first second only own whole entire nearby nearest close
  quiet busy crowded popular famous special free full real perfect fancy fantastic incredible cozy charming modern strong
  supportive helpful few several many such main certain whole top`);

/** Capitalized words that are not names. */
export const NO_NAMES = setOf(`
  i ok okay lol omg fyi btw asap diy tv pc hey hi hello wow thanks thank yes no yeah mr mrs ms dr am pm a an the oh
  haha congrats bye god gosh ps faq tbh imo rip woohoo aww`);

/** Capitalized parties and terms of contracts. */
export const CONTRACT_TERMS = setOf(`
  lessee lessor licensee licensor buyer seller tenant landlord contractor supplier customer client company party parties
  agreement contract services deliverables effective term section clause schedule annex exhibit`);

/** First names that are also words; at the start of a sentence they count as words. */
export const ALSO_WORDS = setOf(`
  art bill bob clay dawn drew faith frank grace grant hope iris ivy jack jade joy june mark mat max may melody miles
  misty nick pat patience rich rob rose ruby rusty sandy skip sky summer sunny sue will`);

export const MONTHS = setOf("january february march april may june july august september october november december");
