// The id of a database in every message, whichever engine has it open.

/** Opaque, stable for the life of the library entry. */
export type DatabaseId = string;
