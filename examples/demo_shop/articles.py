"""What the shop writes apart from its goods: journal posts and pages about the house."""

from datetime import date, timedelta
from typing import NamedTuple


class Post(NamedTuple):
    """A journal post."""

    path: str
    title: str
    published: date


class InfoPage(NamedTuple):
    """A page about the house, with the sentence that it opens with."""

    path: str
    title: str
    lead: str


_TITLES = (
    "A Kettle Remembered", "The Long Sale and How It Started", "Letters from Customers", "Three Things We Carry",
    "What Beeswax Does Not Do", "An Afternoon at the Rope Walk", "On Sharpening Before Breakfast",
    "The Shelf That Would Not Sit Level", "How to Oil a Table in the Rain", "A Short History of the Hook",
    "Nine Ways to Fold a Blanket", "Why the Lids Are Loose", "The Ledger of Lost Buttons", "Planting by the Almanac",
    "A Week Without the Good Scissors", "Paper, and Where It Goes", "The Case for One Lamp", "Mending in Public",
)  # fmt: skip

POSTS = tuple(
    Post(
        path="/blog/" + title.lower().replace(",", "").replace(" ", "-"),
        title=title,
        published=date(2025, 11, 21) - timedelta(days=17 * number),
    )
    for number, title in enumerate(_TITLES)
)

UNLINKED_POST = Post(path="/blog/stocktaking-notes", title="Stocktaking Notes", published=date(2023, 1, 9))

INFO_PAGES = (
    InfoPage("/pages/about", "About the House",
             "Fernhallow Stores began as a barrow outside the corn exchange and has moved four doors since."),
    InfoPage("/pages/delivery", "Delivery",
             "Orders that reach us before noon leave the same day, by post if they are small and by van if not."),
    InfoPage("/pages/returns", "Returns",
             "Keep a thing for thirty days, use it kindly, and send it back if you would rather not own it."),
    InfoPage("/pages/opening-hours", "Opening Hours", "Open daily, nine to five."),
    InfoPage("/pages/gift-wrapping", "Gift Wrapping",
             "We wrap in brown paper and baker's string, and we write the card in whichever hand is free."),
    InfoPage("/pages/size-guide", "Size Guide",
             "Measure something that fits already; it is more honest than a tape and less cold."),
    InfoPage("/pages/questions", "Questions People Ask",
             "These are the questions that come across the counter most often, with the answers we have settled on."),
    InfoPage("/pages/repairs", "Repairs",
             "Bring it in, whole or in a bag, and we will say what it costs before we touch it."),
    InfoPage("/pages/makers", "Our Makers",
             "Some forty workshops supply the shop, the largest with nineteen people and the smallest with one."),
    InfoPage("/pages/materials", "Materials",
             "We buy timber by the tree, wool by the fleece, and metal by the sheet, and write down where from."),
    InfoPage("/pages/workshops", "Evening Workshops",
             "On two evenings a month the counter is cleared, the stools come out, and someone shows how it is done."),
    InfoPage("/pages/careers", "Working Here",
             "We hire slowly and keep people long, and we would sooner train a careful hand than buy a quick one."),
    InfoPage("/pages/privacy", "Privacy",
             "We write down what is needed to send a parcel, and we burn the list when the parcel has arrived."),
    InfoPage("/pages/terms", "Terms of Sale",
             "A sale is made when we take the money, and not before, however firmly anyone has shaken hands."),
)  # fmt: skip

UNLINKED_INFO_PAGE = InfoPage(
    "/pages/wholesale-terms",
    "Wholesale Terms",
    "Shops that buy by the dozen pay a third less, wait a week longer, and collect from the yard themselves.",
)
