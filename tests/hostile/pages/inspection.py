"""What must not be in a page, looked for in the page itself."""

from __future__ import annotations

from playwright.sync_api import Page

REPORTS = """addEventListener("securitypolicyviolation", (event) => {
  console.error(`Content Security Policy report: ${event.violatedDirective} ${event.blockedURI}`);
});"""

LOOK = """() => {
  const FORBIDDEN = ["iframe", "object", "embed", "base", "frame", "applet", "foreignObject"];
  const ADDRESSES = ["href", "xlink:href", "src", "action", "formaction", "srcset", "poster", "data", "ping"];
  const PICTURE = /^data:image\\/(png|jpeg|gif|webp)[;,]/;
  const found = [];
  const say = (why, element) => found.push(`${why}: ${element.outerHTML.slice(0, 200)}`);
  if (window.intruded || document.title === "intruded") found.push("a script of a payload ran");
  for (const element of document.querySelectorAll("*")) {
    const tag = element.localName;
    if (element.id === "intruder") say("an element of a payload", element);
    if (FORBIDDEN.includes(tag)) say("forbidden", element);
    if (tag === "meta" && /refresh/i.test(element.httpEquiv)) say("refresh", element);
    if (tag === "script" && new URL(element.src || "x:").origin !== location.origin) say("script", element);
    for (const { name, value } of element.attributes) {
      if (name.startsWith("on")) say("handler", element);
      if (name === "style" && /url\\(|evil/.test(value)) say("style", element);
      if (!ADDRESSES.includes(name)) continue;
      const address = new URL(value, location.href);
      const isLink = tag === "a" && name === "href";
      const isOurs = address.origin === location.origin && ["http:", "https:"].includes(address.protocol);
      if (isOurs || (isLink && address.protocol === "mailto:")) continue;
      if (isLink && ["http:", "https:"].includes(address.protocol)) {
        const rel = element.rel.split(/\\s+/);
        if (!rel.includes("noopener") || !rel.includes("noreferrer")) say("rel", element);
        continue;
      }
      if (tag === "img" && (address.protocol === "blob:" || PICTURE.test(value))) continue;
      if (tag === "link" && value.startsWith("data:image/")) continue;
      say("address", element);
    }
  }
  return found;
}"""


def look(page: Page) -> None:
    """Fails with what a payload has brought into the page."""
    assert page.evaluate(LOOK) == []
