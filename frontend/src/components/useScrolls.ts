/** What makes a box reachable by keyboard while it has more than it shows, and only then. */
import { type RefObject, useEffect, useState } from "react";

export function useScrolls(box: RefObject<HTMLElement | null>, label: string) {
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => setScrolls(element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1);
    const observer = new ResizeObserver(look);
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    look();
    return () => observer.disconnect();
  }, [box]);
  return scrolls ? { tabIndex: 0, role: "region", "aria-label": label } : {};
}
