// The reason why a kept change counts as rolled back although its checkpoint was not used.

/** A sentence that names the commit that has undone the change. `subject`: the first line of its message. */
export function undoneReason(subject: string): string {
  return `The commit ‘${subject}’ has undone it.`;
}
