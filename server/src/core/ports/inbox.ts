// The port for the files of the inbox, in the state folder.

/** Text files below one folder. Their names consist of [a-z0-9-], may begin with one folder, and end in `.toml`. */
export interface InboxFiles {
  /** The path of a file, for messages. */
  pathOf(name: string): string;
  /** The text of a file; null if it does not exist. Throws `unreadable`. */
  read(name: string): Promise<string | null>;
  /** Replaces the file in one step. */
  write(name: string, text: string): Promise<void>;
}
