// Recognises a reply that announces a change and makes none. Two signs are needed: words of intent, and no edit.

/**
 * Matches sentences in English that announce or report an action: "I will now edit …", "Let me update …", "I have fixed
 * …".
 */
const INTENT_PATTERN =
  /\b(?:i['’]?(?:ll| will| am going to|['’]?m going to| have(?: now)?|['’]?ve(?: now)?)|let me|let['’]?s|now i)\s(?:now |first |quickly |simply )?(?:apply|appl(?:ied)|edit(?:ed)?|change[d]?|update[d]?|writ(?:e|ten)|fix(?:ed)?|add(?:ed)?|remove[d]?|replace[d]?|refactor(?:ed)?|implement(?:ed)?|modif(?:y|ied)|creat(?:e|ed)|make|made)\b/i;

/** True if the text, in which no edit was found, announces one. */
export function announcesChange(text: string): boolean {
  // Quoted code does not show the actions of the reply, so every second part between backquotes is skipped.
  const prose = text.split(/`{1,3}/).filter((_part, index) => index % 2 === 0);
  return prose.some((part) => INTENT_PATTERN.test(part));
}
