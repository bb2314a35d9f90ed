/** Texts that are the same as their keys. */
export const textsFromKeys = <const Word extends string>(words: readonly Word[]) =>
  Object.fromEntries(words.map((word) => [word, word])) as { readonly [W in Word]: W }
