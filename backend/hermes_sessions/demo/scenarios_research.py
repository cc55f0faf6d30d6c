"""Conversations of the profile `research`: papers, evaluation, data, and an essay on a moving coast."""

# ruff: noqa: E501 - a line of a script is a line of a message

from __future__ import annotations

from hermes_sessions.demo.script import Scenario, entries

PAPER = Scenario(
    "Reading: $topic",
    r"""
user: find the three most useful papers on $topic and tell me which one to read first
call web_search: $topic survey benchmark
result: A survey of $topic | https://papers.example.org/2504.01877 | 84 pages, taxonomy and open problems
What $topic gets wrong | https://papers.example.org/2509.11203 | Replication of nine results, six hold
$topic at scale | https://papers.example.org/2601.04410 | Industrial system, latency and cost
call web_extract: https://papers.example.org/2509.11203
result: What $topic gets wrong
Abstract. We replicate nine published results. Six hold within noise, two depend on an undocumented preprocessing step, one cannot be reproduced. We release all runs.
think: She asked for which first: the replication is short and shapes how to read the others.
agent: Read **What $topic gets wrong** first. It is short and tells you which numbers in the other two to trust:

- six of nine results hold
- two depend on a preprocessing step that nobody wrote down
- one could not be reproduced

Then the survey's section 4 for vocabulary. The industrial one only if cost matters to you.
---
user: which preprocessing step?
agent: Near-duplicates were removed from the test set *before* the split in one code base and after it in the other. That alone moves the score by 3.1 points.
---
user: add all three to my bibliography
call write_file: notes/refs.bib
@misc{wrong2025, title={What $topic gets wrong}, year={2025}, eprint={2509.11203}}
@misc{survey2025, title={A survey of $topic}, year={2025}, eprint={2504.01877}}
@misc{scale2026, title={$topic at scale}, year={2026}, eprint={2601.04410}}
agent: Added with keys `wrong2025`, `survey2025`, `scale2026`.
""",
    entries(
        "topic",
        "late interaction retrieval",
        "long context evaluation",
        "agent memory",
        "tool use benchmarks",
        "query rewriting",
        "citation faithfulness",
        "LLM judges",
        "tide gauge homogenisation",
    ),
    ("cli", "tui", "api_server"),
    "evalbench",
)

EVALUATION = Scenario(
    "Evaluate $system",
    r"""
user: run the eval for $system against last week's baseline, 200 questions, and tell me if the difference is real
call terminal: python -m evalbench run --system "$system" --questions 200 --seed 11
result: [32m200/200[0m done in 6m41s
accuracy 0.715 (baseline 0.690)
call execute_code: from evalbench.stats import paired_bootstrap
print(paired_bootstrap("runs/new.jsonl", "runs/base.jsonl", draws=10_000))
result: diff=+0.025  95% CI [-0.020, +0.070]  p=0.27
agent: **Not yet.** $system scores 0.715 against 0.690, but the paired bootstrap's interval is −2.0 to +7.0 points. With 200 questions you can only see differences of about 4.5 points.

For 2.5 points you'd need roughly 650 questions.
user: do the full 1,000 tonight then
call terminal: at 01:00 -f run_full.sh
result: warning: commands will be executed using /bin/sh
job 14 at 01:00
agent: Scheduled for 01:00. I'll compare in the morning.
---
user: and?
call terminal: tail -1 runs/full.log
result: accuracy 0.721 (baseline 0.688) diff=+0.033 95% CI [+0.011, +0.055] p=0.003
agent: Now it is real: +3.3 points, interval +1.1 to +5.5.
---
user: which questions got worse?
call execute_code: worse = [q for q in pairs if q.base and not q.new]
print(len(worse), Counter(q.kind for q in worse).most_common(3))
result: 41 [('dates', 19), ('negation', 9), ('tables', 6)]
agent: 41 got worse, almost half of them about **dates**. The new chunker cuts headings off from the tables below them; the dates stand in the headings.
""",
    entries("system", "hybrid + rerank", "small chunks", "parent documents", "no rerank", "HyDE", "query expansion"),
    ("cli", "tui"),
    "evalbench",
)

DATA = Scenario(
    "Gauge data of $place",
    r"""
user: the tide gauge of $place has a jump in 1998. instrument or sea?
call execute_code: d = load("$place"); print(d["1997":"1999"].resample("Q").mean().round(1).to_string())
result: 1997Q3    7021.4
1997Q4    7034.9
1998Q1    7088.2
1998Q2    7087.6
think: 5 cm within one quarter is too fast for the sea. Look for a datum change in the station history.
call web_search: $place tide gauge 1998 station history datum levelling
result: Station history $place | https://gauges.example.org/$place | March 1998: gauge moved to the new pier, new benchmark, offset +52 mm
agent: **Instrument.** In March 1998 the gauge moved to the new pier; the station history gives an offset of +52 mm, and the jump is 53. Subtract it before fitting a trend.
call patch: gauges/offsets.toml
[offsets]
=>
[offsets]
"$place" = { from = "1998-03", millimetres = -52, source = "station history" }
agent: Recorded with its source. The trend changes from 3.1 to 1.9 mm a year.
---
user: is 1.9 in line with the neighbours?
agent: Yes: the three nearest gauges give 1.7, 2.0 and 2.2 mm a year over the same years.
""",
    entries("place", "Cascais", "Newlyn", "Brest", "Marseille", "Trieste", "Stavanger", "Dunkirk"),
    ("cli",),
    "coast",
)

ESSAY = Scenario(
    "Essay: $part",
    r"""
user: here is the $part of the essay on the coast. cut a third, keep the voice: "The sea does not arrive. It has always been arriving, and what we call a flood is only the moment in which we notice."
agent: > The sea has always been arriving. A flood is the moment when we notice.

I cut the first sentence's denial: the second one says it better. What remains is a third shorter and still yours.
user: i miss the word "only"
agent: > The sea has always been arriving. A flood is only the moment when we notice.

You are right, it needs the shrug.
---
user: does the paragraph before still lead into it?
agent: It ends with "and then the water came", which now contradicts your point. End it at "the pumps were tested every spring" and let the silence do the work.
---
user: title ideas?
agent: - Arriving
- What the pumps knew
- A coast in the past tense

I'd take the second.
""",
    entries("part", "opening", "second section", "harbour scene", "part about the pumps", "interview", "ending"),
    ("cli", "tui"),
)

PLOT = Scenario(
    "Figure $n is unreadable in print",
    r"""
user: reviewer 2 says figure $n cannot be read in black and white
call read_file: figures/fig$n.py
result: import matplotlib.pyplot as plt
for name, group in runs.groupby("system"):
    plt.plot(group.k, group.recall, label=name)
plt.legend()
plt.savefig("fig$n.pdf")
call patch: figures/fig$n.py
for name, group in runs.groupby("system"):
    plt.plot(group.k, group.recall, label=name)
plt.legend()
=>
for (name, group), style in zip(runs.groupby("system"), ["-", "--", ":", "-."]):
    plt.plot(group.k, group.recall, style, color="black", linewidth=1.2)
    plt.text(group.k.iloc[-1], group.recall.iloc[-1], f" {name}", va="center")
call terminal: python figures/fig$n.py
result 1: Traceback (most recent call last):
  File "figures/fig$n.py", line 6, in <module>
ValueError: zip() argument 2 is shorter than argument 1
agent: There are five systems and four line styles. I'll add a fifth with markers.
call terminal: python figures/fig$n.py && pdffonts fig$n.pdf | head -3
result: name                                 type              encoding
BAAAAA+STIXGeneral                   CID TrueType      Identity-H
agent: Five styles in black, each labelled at its end instead of in a legend. It reads in print and for colour-blind people.
""",
    entries("n", "2", "3", "4", "5", "7"),
    ("cli",),
    "evalbench",
)

TRANSCRIBE = Scenario(
    "Interview with $who",
    r"""
user: clean up this transcript, keep the person's words, mark what you are not sure of: "so eh the the harbour was you know it was open water then, nineteen fifty eh three, and the the dyke it was this high"
agent: > So the harbour was open water then, in 1953, and the dyke was this high [gesture].

I removed repetitions and fillers only. Not sure: whether "this high" refers to the old or the new dyke.
user: the old one, $who showed the knee
agent: > ... and the old dyke was this high [shows the knee].
""",
    entries("who", "the lock keeper", "the ferrywoman", "the pilot", "the net mender", "a dyke warden"),
    ("telegram", "cli"),
)

SCENARIOS = (PAPER, EVALUATION, DATA, ESSAY, PLOT, TRANSCRIBE)
