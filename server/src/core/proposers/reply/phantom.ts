// Recognises a reply that announces a change but contains none, by words of intent in a reply without edits.

/**
 * Matches English phrases that announce or report an action: “I will now edit …”, “Let me update …”, “I have fixed …”.
 */
const INTENT_PATTERN =
  /\b(?:i['’]?(?:ll| will| am going to|['’]?m going to| have(?: now)?|['’]?ve(?: now)?)|let me|let['’]?s|now i)\s(?:now |first |quickly |simply )?(?:apply|appl(?:ied)|edit(?:ed)?|change[d]?|update[d]?|writ(?:e|ten)|fix(?:ed)?|add(?:ed)?|remove[d]?|replace[d]?|refactor(?:ed)?|implement(?:ed)?|modif(?:y|ied)|creat(?:e|ed)|make|made)\b/i;

/** True if the text, in which no edit was found, announces one. */
export function announcesChange(text: string): boolean {
  // Quoted code does not describe actions of the author, so the text between backticks is skipped.
  const prose = text.split(/`{1,3}/).filter((_part, index) => index % 2 === 0);
  return prose.some((part) => INTENT_PATTERN.test(part));
}
