// Products of the sample's shop, and the words its customers review it with.

export interface Shelf {
  readonly category: string;
  readonly types: readonly string[];
  readonly priceFrom: number;
  readonly priceTo: number;
  readonly weightFrom: number;
  readonly weightTo: number;
}

type Range = readonly [from: number, to: number];

const list = (text: string): readonly string[] => text.split(', ');

function shelf(category: string, types: string, price: Range, weight: Range): Shelf {
  const [[priceFrom, priceTo], [weightFrom, weightTo]] = [price, weight];
  return { category, types: list(types), priceFrom, priceTo, weightFrom, weightTo };
}

/** Departments with their shelves: the two levels of the category table. */
export const DEPARTMENTS: Readonly<Record<string, readonly Shelf[]>> = {
  Sleeping: [
    shelf('Tents', 'Tent, Tarp, Bivy', [79, 899], [450, 4200]),
    shelf('Sleeping bags', 'Down Bag, Quilt, Summer Bag', [59, 649], [380, 1900]),
    shelf('Mats', 'Air Mat, Foam Mat', [19, 239], [240, 1100]),
    shelf('Hammocks', 'Hammock, Underquilt', [35, 329], [290, 1400]),
  ],
  Carrying: [
    shelf('Backpacks', 'Backpack, Daypack, Frame Pack', [39, 429], [320, 2600]),
    shelf('Bike bags', 'Pannier, Frame Bag, Bar Roll', [29, 189], [140, 1600]),
    shelf('Dry bags', 'Dry Bag, Duffel', [9, 159], [60, 1300]),
  ],
  Kitchen: [
    shelf('Stoves', 'Gas Stove, Spirit Stove, Wood Stove', [25, 219], [70, 900]),
    shelf('Cookware', 'Pot, Pan, Mug, Kettle', [12, 99], [80, 620]),
    shelf('Water', 'Filter, Bottle, Bladder', [8, 149], [60, 420]),
  ],
  Clothing: [
    shelf('Shells', 'Rain Jacket, Wind Jacket, Rain Trousers', [69, 549], [110, 640]),
    shelf('Insulation', 'Down Jacket, Fleece, Vest', [49, 449], [180, 720]),
    shelf('Base layers', 'Merino Shirt, Leggings, Socks', [14, 129], [50, 290]),
    shelf('Headwear', 'Beanie, Cap, Buff', [12, 59], [30, 120]),
  ],
  Footwear: [
    shelf('Boots', 'Hiking Boot, Mountain Boot', [119, 479], [900, 2100]),
    shelf('Trail shoes', 'Trail Runner, Approach Shoe', [79, 229], [420, 980]),
  ],
  Technical: [
    shelf('Climbing', 'Harness, Carabiner, Sling, Rope', [9, 259], [30, 3900]),
    shelf('Navigation', 'Compass, Map Case, Altimeter', [15, 389], [20, 260]),
    shelf('Light', 'Head Lamp, Lantern', [19, 169], [40, 380]),
    shelf('Snow', 'Snowshoe, Ice Axe, Probe', [49, 339], [250, 2300]),
  ],
};

export const SERIES = list(
  'Fjell, Sarek, Älv, Tundra, Kestrel, Birch, Granit, Montane, Łan, Nordwand, Skog, Wren, Cairn, Halde, Ötzi, Pika, Rowan, Serac, Taiga, Vega',
);
export const COLORS = list('moss, slate, ember, night, sand, ice, rust, fern');
export const MATERIALS = list(
  'ripstop nylon, recycled polyester, merino wool, titanium, aluminium, waxed cotton, goose down, rubber',
);
export const SUPPLIER_WORDS = list('Alpen, Baltic, Cascade, Fjord, Hoch, Karst, Lumen, Nord, Pinie, Tatra');
export const SUPPLIER_KINDS = list('Works, Textil GmbH, Équipement SA, Gear AB, Outfitters Ltd, 製作所');
export const WAREHOUSES = list('Kassel, Gdańsk, Lyon, Trondheim, Carlisle, 長野');

export const REVIEW_OPENINGS = list(
  'Took it to, Used it for a week in, Bought it for, Two seasons in, First trip to, Tested it above',
);
export const REVIEW_PLACES = list(
  'the Dolomites, Sarek, Snowdonia, the Tatra, Hokkaidō, the Vosges, Lofoten, the Harz, Corsica, Jämtland',
);
export const REVIEW_VERDICTS: readonly (readonly string[])[] = [
  ['the seam tore on the second day', 'it leaked in the first rain', 'the zip broke'],
  ['heavier than promised', 'sizes run small', 'the color faded'],
  ['does what it should', 'good value, plain finish', 'fine for summer'],
  ['light and warm', 'well made and easy to pack', 'dry through three days of rain'],
  ['would buy it again at once', 'the best I have owned', 'perfect fit, no weak point found'],
];
