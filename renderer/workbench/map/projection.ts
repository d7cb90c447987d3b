// From stored coordinates to those of a map: Web Mercator for geographic coordinates, and the plane they are in for all others.

export const COORDINATES = ['longitude-latitude', 'web-mercator', 'plane'] as const;
export type Coordinates = (typeof COORDINATES)[number];

const RADIUS = 6_378_137;
const RADIAN = Math.PI / 180;
/** Web Mercator ends here, where the world is a square. */
export const MAX_LATITUDE = 85.051_128_779_806_6;

const LONGITUDE_LATITUDE = [4326];
/** 900913 is what EPSG:3857 was called before it had a number. */
const WEB_MERCATOR = [3857, 900_913];

/** The plane: nothing is known about the system, or it would need a projection of its own. */
export function coordinatesOf(srid: number | null): Coordinates {
  if (srid === null) return 'plane';
  if (LONGITUDE_LATITUDE.includes(srid)) return 'longitude-latitude';
  return WEB_MERCATOR.includes(srid) ? 'web-mercator' : 'plane';
}

export const mercatorX = (longitude: number): number => longitude * RADIAN * RADIUS;

/** Latitudes beyond {@link MAX_LATITUDE} are drawn at the edge. */
export function mercatorY(latitude: number): number {
  const shown = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));
  return Math.log(Math.tan(Math.PI / 4 + (shown * RADIAN) / 2)) * RADIUS;
}
