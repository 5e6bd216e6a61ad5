/** A few everyday memories, so different that any sound ranking has the same order. */
export const CORPUS = [
  { id: "mem_allergy", content: "Maya is allergic to peanuts and carries an adrenaline pen." },
  { id: "mem_bakery", content: "Tom opened a small bakery on Harbour Street in March." },
  { id: "mem_bakery_hours", content: "The bakery opens at six and sells out of rye bread by noon." },
  { id: "mem_piano", content: "Maya has been taking piano lessons since she moved to Lisbon." },
  { id: "mem_marathon", content: "Tom ran the Lisbon marathon in under four hours." },
  { id: "mem_dentist", content: "Dentist appointment for Maya moved to Thursday at nine." },
  { id: "mem_cat", content: "The cat is called Biscuit and only drinks running water." },
  { id: "mem_invoice", content: "Invoice 1047 from the printing company is still unpaid." },
  { id: "mem_garden", content: "They planted tomatoes and basil on the balcony last weekend." },
  { id: "mem_passport", content: "Tom's passport expires in November and must be renewed." },
];

/** Queries with the ids that must come first, in order, when both kinds of search are fused. */
export const CORPUS_QUERIES = [
  { query: "What is Maya allergic to?", best: ["mem_allergy"] },
  { query: "When does the bakery sell rye bread?", best: ["mem_bakery_hours", "mem_bakery"] },
  { query: "Who ran a marathon in Lisbon?", best: ["mem_marathon", "mem_piano"] },
  { query: "Tom's passport", best: ["mem_passport"] },
  { query: "invoice 1047", best: ["mem_invoice"] },
  { query: "which plants grow on the balcony", best: ["mem_garden"] },
  { query: "Maya's dentist appointment on Thursday", best: ["mem_dentist"] },
];
