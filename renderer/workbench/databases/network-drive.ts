// Tells the user about a file in place on another computer.

/** @param drive see `LibrarySource.networkDrive` */
export function networkDriveText(drive: string): string {
  return `It is on a network drive (${drive}), where file locks are not always reliable and a WAL cannot be shared: while it is open here, do not open it on another computer. A library copy is safe, and faster.`;
}
