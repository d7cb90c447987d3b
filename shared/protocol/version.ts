// The wire version: a window and a host built from different sources must refuse to talk rather than guess.
export const PROTOCOL_VERSION = 1;
