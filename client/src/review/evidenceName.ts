// Names the page with the evidence for a proposal, and recognises the page by the title of its tab, the only thing that
// VS Code reveals about it. Does not use VS Code's API.

/** A proposal by its id and title. */
export interface TitledProposal {
  readonly id: string;
  readonly title: string;
}

/**
 * The name of the page. It contains the id, because several proposals may have the same title: for example, a waiting
 * one and a refused one.
 */
export function evidenceNameOf({ id, title }: TitledProposal): string {
  return `Evidence ${toFileName(title)} (${id}).md`;
}

/** True if the tab with this label shows the evidence for the proposal. */
export function isEvidencePageOf(label: string, { id }: Pick<TitledProposal, 'id'>): boolean {
  return label.endsWith(` (${id}).md`);
}

/** The title as a part of a file name: slashes, backslashes and colons become spaces. */
export function toFileName(title: string): string {
  return title.replace(/[/:\\]+\s*/g, ' ');
}
