// The type of a process's environment.

/** Environment variables by name. A variable that is not set is absent or undefined, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;
