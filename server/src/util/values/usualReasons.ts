// The reasons for a rejection that a person chooses from a list instead of typing one.

/** As they are recorded. */
export const USUAL_REASONS = {
  fine: 'It reads better as it is.',
  wrong: 'The change is wrong.',
  leftAlone: 'The file is to be left alone.',
} as const;
