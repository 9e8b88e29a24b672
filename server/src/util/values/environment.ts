// Defines the type of the environment of a process.

/** Environment variables by name. A variable that is not set is absent or undefined, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;
