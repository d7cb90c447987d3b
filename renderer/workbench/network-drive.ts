// What a person should know of a file in place that lies on another computer.

/** @param drive as `LibrarySource.networkDrive` */
export function networkDriveInWords(drive: string): string {
  return `It lies on a network drive (${drive}), where locks are not always sure and a WAL is never shared: as long as it is open here, no other computer should have it open. A library copy is safe, and faster.`;
}
