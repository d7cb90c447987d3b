import { expect, it, test } from 'vitest';
import { isShare, mountOf, networkDriveOf, readLinuxMounts, readMacMounts } from './network-drive.ts';

const LINUX = readLinuxMounts(
  [
    '/dev/sda1 / ext4 rw,relatime 0 0',
    'proc /proc proc rw 0 0',
    String.raw`host:/shop /mnt/my\040shop nfs4 rw,relatime 0 0`,
    'me@host:/ /mnt/far fuse.sshfs rw 0 0',
    '/dev/sdb1 /mnt/far/near ext4 rw 0 0',
    '',
  ].join('\n'),
);

test.each([
  ['/home/me/shop.db', 'ext4'],
  ['/mnt/my shop/shop.db', 'nfs4'],
  ['/mnt/my shop2/shop.db', 'ext4'],
  ['/mnt/far/shop.db', 'fuse.sshfs'],
  ['/mnt/far/near/shop.db', 'ext4'],
])('%s lies on %s', (path, type) => {
  expect(mountOf(path, LINUX)?.type).toBe(type);
});

it('takes the later of two mounts in one place', () => {
  const mounts = readLinuxMounts('/dev/sda1 /data ext4 rw 0 0\nhost:/x /data cifs rw 0 0');
  expect(mountOf('/data/shop.db', mounts)?.type).toBe('cifs');
});

it('reads what macOS says', () => {
  const mounts = readMacMounts(
    '/dev/disk3s1 on / (apfs, sealed, local)\n//me@host/shop on /Volumes/on (my) shop (smbfs, nodev, nosuid)\n',
  );
  expect(mountOf('/Volumes/on (my) shop/a.db', mounts)?.type).toBe('smbfs');
  expect(mountOf('/Users/me/a.db', mounts)?.type).toBe('apfs');
});

test.each([
  [String.raw`\\server\share\shop.db`, true],
  [String.raw`\\?\UNC\server\share\shop.db`, true],
  [String.raw`\\?\C:\shop.db`, false],
  [String.raw`\\.\C:\shop.db`, false],
  [String.raw`C:\shop.db`, false],
])('%s is a share of another computer: %s', (path, is) => {
  expect(isShare(path)).toBe(is);
});

it('knows that a file of this folder is near', () => {
  expect(networkDriveOf(import.meta.filename)).toBeNull();
});
