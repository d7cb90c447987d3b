// The protocol version: a window and a host built from different sources must refuse to connect.
export const PROTOCOL_VERSION = 1;
