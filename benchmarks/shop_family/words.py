"""The words that the shops of the family are made of, and sentences of them."""

from random import Random

DEPARTMENTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Lighting", ("table lamp", "floor lamp", "wall light", "pendant", "lantern", "desk lamp", "candle holder",
                  "lamp shade", "spotlight", "night light", "chandelier", "torch")),
    ("Kitchen", ("saucepan", "chopping board", "teapot", "mixing bowl", "ladle", "colander", "bread bin", "peeler",
                 "casserole", "kettle", "whisk", "grater")),
    ("Garden", ("trowel", "watering can", "planter", "bird feeder", "garden fork", "hose reel", "trellis", "dibber",
                "seed tray", "secateur", "wheelbarrow", "bench")),
    ("Bedroom", ("duvet cover", "pillow", "blanket", "bedspread", "mattress topper", "headboard", "bedside table",
                 "throw", "sheet set", "bolster", "eiderdown", "valance")),
    ("Bathroom", ("bath mat", "towel rail", "soap dish", "shower curtain", "mirror", "toothbrush mug", "laundry basket",
                  "bath rack", "hand towel", "robe hook", "sponge", "stool")),
    ("Stationery", ("notebook", "fountain pen", "pencil case", "letter opener", "ring binder", "wall calendar",
                    "envelope set", "ruler", "ink bottle", "sketch pad", "desk tidy", "stapler")),
    ("Outdoor", ("tent", "sleeping bag", "rucksack", "camping stove", "flask", "hammock", "head torch", "cool box",
                 "walking pole", "map case", "dry bag", "compass")),
    ("Clothing", ("jumper", "scarf", "raincoat", "waistcoat", "beanie", "glove", "sock", "shirt", "cardigan", "apron",
                  "belt", "slipper")),
    ("Toys", ("puzzle", "spinning top", "kite", "building block", "doll house", "rocking horse", "yo-yo", "marble run",
              "puppet", "toy boat", "rattle", "skipping rope")),
    ("Workshop", ("hammer", "chisel", "spirit level", "hand saw", "clamp", "screwdriver", "tool roll", "file",
                  "workbench", "mallet", "plane", "vice")),
    ("Music", ("ukulele", "recorder", "tambourine", "metronome", "drum", "harmonica", "music stand", "guitar strap",
               "xylophone", "tuning fork", "bow", "capo")),
    ("Storage", ("crate", "hamper", "shelf", "wardrobe rail", "trunk", "hook rack", "drawer unit", "basket",
                 "shoe rack", "magazine file", "jar", "cabinet")),
)  # fmt: skip
"""Departments, and what each sells: one category a noun."""

ADJECTIVES: tuple[str, ...] = tuple(
    """classic slim sturdy rustic folding striped nordic vintage compact grand travel everyday quilted woven painted
    polished brushed hammered tall low curved square round soft heavy light double single large small mini deluxe
    plain ribbed speckled glazed coastal harbour meadow highland winter summer autumn little royal quiet simple bold
    bright dark pale twisted stacked hanging standing""".split()
)
MATERIALS: tuple[str, ...] = tuple(
    """brass oak linen cotton wool steel copper ash walnut pine beech cork bamboo enamel glass marble slate leather
    canvas felt rattan willow ceramic stoneware iron birch cherry velvet hemp jute maple silk tin zinc granite cedar
    mohair alpaca denim porcelain""".split()
)
COLOURS: tuple[str, ...] = tuple("red blue green black white grey yellow brown orange pink".split())
BRANDS: tuple[str, ...] = tuple(
    """Harwell Tindale Norbury Fenwick Ashcombe Larkfield Penrose Quillon Saltmarsh Thornby Underhill Vexley Wyndham
    Yarrow Zennor Aldous Brockway Copley Dunmore Elstow Farrow Garrick Hexham Ingle Jessop Kelso Ludlow Merrow Naylor
    Orford Pasco Rushton Selby Tarrant Upton Varley Wexcombe Yelland Alnwick Bexley""".split()
)
STORIES: tuple[str, ...] = (
    "How we spent a weekend {topic}", "Five lessons from {topic}", "A beginner's notes on {topic}",
    "What nobody tells you about {topic}", "Our team goes {topic}", "The history of {topic}", "An evening of {topic}",
    "Ten years of {topic}", "Why we love {topic}", "Letters to the editor: {topic}", "The quiet joy of {topic}",
    "Interview: a life of {topic}",
)  # fmt: skip
TOPICS: tuple[str, ...] = tuple(
    each.strip()
    for each in """baking sourdough, walking the coast path, mending old things, keeping bees, growing tomatoes,
    painting by the sea, learning to carve, moving to the country, cycling to work, camping with children,
    restoring a cottage, reading in winter, hosting a supper, foraging in autumn, writing by hand, dyeing with plants,
    building a shed, brewing cider, spotting birds, playing the fiddle, cooking over fire, sleeping under stars,
    sailing a dinghy, planting a hedge, knitting in company, visiting makers, opening our second branch,
    packing without plastic, photographing frost, making marmalade, sharing tools, tidying the loft,
    keeping a diary, pressing flowers, sketching strangers, waiting for spring""".split(",")
)
TAGS: tuple[str, ...] = tuple(
    """makers travel seasons recipes people repairs families weekends craft history gardens books music winter summer
    letters places journal ideas news""".split()
)

_OPENINGS = ("We began with", "It takes", "Nobody here forgets", "The first thing is", "Every season brings",
             "Our neighbours swear by", "There is much to say for", "In the end it came down to")  # fmt: skip
_MIDDLES = ("a great deal of patience and", "two good hands,", "the smell of", "an old photograph of",
            "a long talk over", "some doubt about", "the right weather for", "three cups of tea and")  # fmt: skip
_ENDINGS = ("which is more than we had hoped for when we set out that morning.",
            "and that was how the whole thing started, long before anyone wrote it down.",
            "though it would be years before we came back to it with fresh eyes.",
            "and we would do it all again tomorrow if the rain held off.",
            "so we asked around, took notes, and tried once more the week after.")  # fmt: skip
_USES = ("Made to be used every day", "Built to last a lifetime", "Finished by hand in small numbers",
         "Designed with our own makers", "A quiet favourite of ours", "Lighter than it looks")  # fmt: skip
_CARES = ("wipe clean with a damp cloth", "keep out of direct sun", "oil it twice a year", "wash at thirty degrees",
          "dry it well after use", "dust it now and then")  # fmt: skip


def slug_of(name: str) -> str:
    """Return a name as addresses have it."""
    return "-".join("".join(letter if letter.isalnum() else " " for letter in name.lower()).split())


def plural_of(noun: str) -> str:
    """Return the plural of one of the nouns."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    return f"{noun.removesuffix('f')}ves" if noun.endswith("lf") else f"{noun}s"


def build_paragraph(dice: Random, sentences: int) -> str:
    """Return prose that says nothing in particular."""
    return " ".join(
        f"{dice.choice(_OPENINGS)} {dice.choice(_MIDDLES)} {dice.choice(ADJECTIVES)} {dice.choice(MATERIALS)}, "
        f"{dice.choice(_ENDINGS)}"
        for _ in range(sentences)
    )


def build_description(dice: Random, name: str, colour: str) -> str:
    """Return what a shop says of a good."""
    return (
        f"{dice.choice(_USES)}: {name} in {colour}, with {dice.choice(ADJECTIVES)} {dice.choice(MATERIALS)} details. "
        f"To care for it, {dice.choice(_CARES)} and {dice.choice(_CARES)}. {dice.choice(_USES)}."
    )
