// The port for the files of the inbox, in the state folder.

/** Text files below one folder. Names consist of [a-z0-9-], may have one folder, and end in `.toml`. */
export interface InboxFiles {
  /** The path of a file, for messages. */
  pathOf(name: string): string;
  /** Null if the file does not exist. Throws `unreadable`. */
  read(name: string): Promise<string | null>;
  /** Replaces the file in one step. */
  write(name: string, text: string): Promise<void>;
}
