/** Which addresses out of hostile text may become a link or a picture. */
const LINK_PROTOCOLS = new Set(["http:", "https:", "mailto:"]);
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+$/i;

/** The absolute address when it may be followed, else null: relative ones would lead into this site. */
export function safeHref(address: string): string | null {
  try {
    const url = new URL(address.trim());
    return LINK_PROTOCOLS.has(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** True for pictures that carry their own bytes in a format that cannot hold a script. */
export const isInlinePicture = (address: string): boolean => PICTURE.test(address);
