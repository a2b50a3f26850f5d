"""What the shop sells, before the dice are rolled: departments, kinds of goods, and the words that name them."""

from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of goods: its title, four nouns, what they are made of, a price band in whole pounds, and its options."""

    title: str
    nouns: tuple[str, str, str, str]
    materials: tuple[str, ...]
    low: int
    high: int
    options: tuple[str, ...]


class Department(NamedTuple):
    """A department: its title, four kinds, and the phrase that says what it is for."""

    title: str
    purpose: str
    kinds: tuple[Kind, Kind, Kind, Kind]


OPTION_VALUES = {
    "Size": ("Small", "Medium", "Large"),
    "Fit": ("S", "M", "L", "XL"),
    "Colour": ("Moss", "Slate", "Ochre", "Chalk", "Damson", "Rust"),
    "Length": ("60 cm", "90 cm", "120 cm"),
    "Ruling": ("Plain", "Lined", "Squared"),
}

DEPARTMENTS = (
    Department(
        "Kitchen",
        "cooking slowly and eating well",
        (
            Kind("Mugs & Cups", ("Mug", "Cup", "Tumbler", "Beaker"), ("Stoneware", "Enamel"), 9, 28, ("Colour",)),
            Kind("Pots & Pans", ("Saucepan", "Skillet", "Stockpot", "Casserole"), ("Cast Iron", "Copper"), 45, 190,
                 ("Size",)),
            Kind("Boards & Knives", ("Chopping Board", "Bread Knife", "Paring Knife", "Carving Fork"),
                 ("Walnut", "Beech"), 18, 85, ()),
            Kind("Jars & Tins", ("Storage Jar", "Bread Bin", "Spice Rack", "Flour Tin"), ("Glazed", "Tinplate"), 14, 60,
                 ("Size", "Colour")),
        ),
    ),
    Department(
        "Garden",
        "digging, watering and sitting down afterwards",
        (
            Kind("Hand Tools", ("Trowel", "Hand Fork", "Dibber", "Pruning Saw"), ("Forged", "Ash-Handled"), 12, 48, ()),
            Kind("Watering", ("Watering Can", "Hose Reel", "Rain Gauge", "Plant Mister"), ("Brass", "Galvanised"), 15,
                 95, ("Size",)),
            Kind("Pots & Planters", ("Planter", "Seed Tray", "Hanging Basket", "Window Trough"),
                 ("Terracotta", "Wicker"), 10, 70, ("Size",)),
            Kind("Garden Comfort", ("Kneeler", "Deck Chair", "Hammock", "Storm Lantern"), ("Canvas", "Larch"), 24, 160,
                 ("Colour",)),
        ),
    ),
    Department(
        "Study",
        "writing letters, keeping accounts and losing an afternoon to a book",
        (
            Kind("Notebooks", ("Notebook", "Sketchbook", "Ledger", "Pocket Diary"), ("Cloth-Bound", "Sewn"), 8, 32,
                 ("Ruling",)),
            Kind("Pens & Ink", ("Fountain Pen", "Ink Bottle", "Pencil Set", "Pen Roll"), ("Lacquered", "Cedar"), 9, 120,
                 ("Colour",)),
            Kind("Desk Tidies", ("Letter Tray", "Pen Stand", "Bookend Pair", "Paperweight"), ("Oak", "Slate"), 16, 64,
                 ()),
            Kind("Lamps", ("Desk Lamp", "Clip Lamp", "Reading Lamp", "Task Lamp"), ("Spun Steel", "Brass"), 55, 240,
                 ("Colour",)),
        ),
    ),
    Department(
        "Bathroom",
        "hot water, dry feet and a little quiet",
        (
            Kind("Towels", ("Bath Towel", "Hand Towel", "Bath Sheet", "Face Cloth"), ("Waffle", "Linen"), 6, 58,
                 ("Colour",)),
            Kind("Soap & Scrub", ("Soap Block", "Bath Brush", "Soap Dish", "Nail Brush"), ("Olive", "Pearwood"), 5, 26,
                 ()),
            Kind("Robes & Mats", ("Bathrobe", "Bath Mat", "House Slippers", "Hair Wrap"), ("Honeycomb", "Looped"), 18,
                 110, ("Fit", "Colour")),
            Kind("Hooks & Shelves", ("Towel Rail", "Wall Hook", "Corner Shelf", "Shaving Mirror"), ("Brass", "Ash"), 14,
                 88, ("Length",)),
        ),
    ),
    Department(
        "Bedroom",
        "early nights and late mornings",
        (
            Kind("Blankets", ("Blanket", "Throw", "Quilt", "Eiderdown"), ("Lambswool", "Herringbone"), 60, 280,
                 ("Size", "Colour")),
            Kind("Cushions", ("Cushion", "Bolster", "Floor Pillow", "Seat Pad"), ("Corduroy", "Ticking"), 22, 75,
                 ("Colour",)),
            Kind("Bed Linen", ("Duvet Cover", "Flat Sheet", "Pillowcase", "Bed Skirt"), ("Washed", "Percale"), 19, 140,
                 ("Size",)),
            Kind("Bedside", ("Alarm Clock", "Carafe", "Night Light", "Bedside Tray"), ("Smoked", "Beech"), 17, 92, ()),
        ),
    ),
    Department(
        "Outdoors",
        "long walks in weather that was not forecast",
        (
            Kind("Packs & Bags", ("Rucksack", "Satchel", "Dry Bag", "Duffel"), ("Waxed", "Canvas"), 38, 185,
                 ("Colour",)),
            Kind("Flasks & Tins", ("Flask", "Camp Kettle", "Lunch Tin", "Folding Cup"), ("Steel", "Enamel"), 11, 64,
                 ()),
            Kind("Knitwear", ("Jumper", "Scarf", "Beanie", "Mittens"), ("Merino", "Fisherman"), 18, 130,
                 ("Fit", "Colour")),
            Kind("Waterproofs", ("Rain Jacket", "Cycling Cape", "Over-Trousers", "Gaiters"), ("Waxed", "Oilskin"), 35,
                 260, ("Fit",)),
        ),
    ),
    Department(
        "Playroom",
        "wet Sundays and whole summers",
        (
            Kind("Wooden Toys", ("Pull-Along Duck", "Building Blocks", "Toy Barge", "Spinning Top"),
                 ("Lime Wood", "Painted"), 12, 66, ()),
            Kind("Puzzles & Games", ("Jigsaw", "Draughts Set", "Card Game", "Marble Run"), ("Maple", "Printed"), 10, 80,
                 ()),
            Kind("Soft Toys", ("Hare", "Badger", "Sleeping Bear", "Otter"), ("Felted", "Corduroy"), 16, 44,
                 ("Size",)),
            Kind("Kites & Gliders", ("Diamond Kite", "Box Kite", "Balsa Glider", "Wind Sock"), ("Ripstop", "Paper"), 9,
                 54, ("Colour",)),
        ),
    ),
    Department(
        "Furniture",
        "sitting, eating, and putting things where they can be found again",
        (
            Kind("Chairs & Stools", ("Stool", "Rocking Chair", "Hall Bench", "Dining Chair"), ("Elm", "Ladder-Back"),
                 95, 640, ()),
            Kind("Tables", ("Dining Table", "Side Table", "Writing Desk", "Folding Table"), ("Oak", "Cherry"), 480,
                 1650, ("Size",)),
            Kind("Shelving", ("Bookcase", "Plate Rack", "Wall Shelf", "Boot Rack"), ("Pine", "Ash"), 48, 520,
                 ("Length",)),
            Kind("Mirrors & Clocks", ("Wall Mirror", "Mantel Clock", "Wall Clock", "Barometer"), ("Round", "Gilt"), 52,
                 310, ()),
        ),
    ),
)  # fmt: skip

BRANDS = ("Oxtarn", "Pellbrook", "Skerrow", "Hathermill", "Quillane", "Brockendale", "Yarrowmere", "Tidmarsh Low")

LINES = (
    "Alderby", "Brackwater", "Corriemoor", "Dunsop", "Elterholm", "Farrowdale", "Gannetsway", "Hexwold", "Inverlea",
    "Jackdaw", "Kelderbeck", "Lintock", "Marrowfield", "Netherby", "Osmund", "Pikehollow", "Quernby", "Rookhurst",
    "Saltersgate", "Thrushcross", "Uldale", "Vennel", "Wickenby", "Yewbarrow", "Applegarth", "Birkrigg", "Cattlesike",
    "Dovenby", "Embleton", "Foxup",
)  # fmt: skip
