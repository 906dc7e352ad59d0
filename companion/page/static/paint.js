// Everything around the board: whose turn, the roll, the players, the story, the devices.

import { keep, recall } from "./ask.js";
import { badge, capital, die, el, fill, find, readOut, say } from "./dom.js";
import { nouns, seatOf, spoken } from "./plan.js";

const MOST_CONFETTI = 18;

export function showTurn(view) {
  const turn = find("#turn");
  const over = view.due_kind === "over";
  turn.classList.toggle("over", over);
  const who = (over ? view.winner : [view.due]).filter((seat) => seat !== null);
  if (who.length !== 1) turn.removeAttribute("data-seat");
  else turn.setAttribute("data-seat", who[0]);
  const title = who.length ? seatTitle(view, who, over ? outcome(view) : "Turn") : el("h1", {}, view.title);
  fill(find(".who", turn), who.map(badgeOf), title);
  fill(find(".roll", turn), rollOf(view));
  say(find("#headline"), view.headline);
  document.title = view.trouble ? `! ${view.trouble.text}` : view.headline;
  celebrate(over ? view.winner : [], view.plays);
}

// Partners and teams win together; in Game of God those who lead alike share a draw.
function outcome({ game, winner }) {
  if (winner.length === 1) return "Winner";
  return game === "game-of-god" ? "A draw" : "Winners";
}

function badgeOf(seat) {
  const made = badge(seatOf(seat).mark);
  made.dataset.seat = seat;
  return made;
}

// Of several who share it each is named, and nobody of their members.
function seatTitle(view, seats, small) {
  const named = seats.map((seat) => view.seats.find((one) => one.seat === seat) ?? seatOf(seat));
  const names = named.flatMap(({ name }, i) => [joint(i, seats.length), el("bdi", {}, capital(name))]);
  const member = seats.length === 1 && named[0].member;
  const who = member ? el("span", { class: "member" }, " – ", el("bdi", {}, member)) : null;
  return el("h1", {}, el("span", { class: "small" }, small), names, who);
}

const joint = (i, count) => (i === 0 ? null : i === count - 1 ? " and " : ", ");

// The dice, each pale once it is played, and what is left that is no die (a bonus). While the next roll is due, the
// last one belongs to another player's past, whatever is wrong meanwhile.
function rollOf(view) {
  if (view.due_kind !== "play") return [];
  const left = [...view.left];
  const take = (value) => left.includes(value) && left.splice(left.indexOf(value), 1).length > 0;
  const dice = view.roll.map((value) => die(value, !take(value)));
  return [...dice, ...left.map((value) => el("span", { class: "extra" }, `+${value}`))];
}

const HOME = nouns.home.toLowerCase() === "home" ? "home" : "in goal";

export function showPlayers(view) {
  const rows = view.seats.map(({ seat, name, mark, home, member }) => {
    const due = seat === view.due && view.due_kind !== "over";
    const words = { "data-seat": seat, class: due ? "due" : "", "aria-current": due ? "true" : null };
    return el("li", words, badge(mark), el("bdi", {}, capital(name)), " ", whoElse(member), " ", el("span", { class: "home" }, `${home} ${HOME}`));
  });
  fill(find("#players"), rows);
  fill(find("#spoken"), el("ul", {}, spoken(view).map((sentence) => el("li", {}, sentence))));
}

const whoElse = (member) => (member ? el("bdi", { class: "member" }, member) : null);

// What was played is read out once, as it comes; what is wrong or over is read elsewhere, as is what this phone was told.
const READ_ELSEWHERE = ["illegal", "unclear", "lost", "over"];
let newest = null;

function readNewest([play]) {
  const known = newest;
  newest = play?.number ?? 0;
  if (known === null || newest <= known || READ_ELSEWHERE.includes(play.verdict)) return;
  if (find("#toast.shown")?.textContent !== play.text) readOut(play.text);
}

// "21:05"; of another evening "20 Nov 21:05"; nothing where the clock was not set yet. The first paint writes the same.
const SET_SINCE = 1577836800; // 2020
const EVENING = 12 * 3600;

function clock(wall) {
  if (wall < SET_SINCE) return "";
  const at = new Date(wall * 1000);
  const time = at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  if (Math.abs(Date.now() / 1000 - wall) < EVENING) return time;
  return `${at.toLocaleDateString("en-GB", { day: "numeric", month: "short" })} ${time}`;
}

export function showStory(view) {
  readNewest(view.plays);
  const lines = view.plays.map((play) => {
    const at = clock(play.wall);
    const dice = play.dice.length ? el("span", { class: "dice" }, play.dice.map((value) => die(value))) : null;
    const parts = [el("time", {}, at), el("span", { class: "dot" }), el("span", { class: "text" }, play.text), dice];
    return el("li", { class: play.verdict, "data-seat": play.seat }, parts);
  });
  fill(find("#story"), lines.length ? lines : el("li", { class: "empty" }, "Nothing has been played yet."));
}

export function showDevices(view) {
  const row = ({ name, state, text }) => el("li", { class: state }, el("b", {}, name), " ", el("span", {}, text));
  fill(find("#devices"), view.devices.map(row));
}

// A handful of marks fall once for each game that ends, however often its page is opened.
function celebrate(winners, plays) {
  const there = find("#confetti");
  if (!winners.length || there) return winners.length ? undefined : there?.remove();
  const end = plays.find(({ verdict }) => verdict === "over") ?? plays[0];
  const game = `${end?.number}.${end?.wall}`;
  if (recall("celebrated") === game) return;
  keep("celebrated", game);
  const marks = Array.from({ length: MOST_CONFETTI }, (_, i) => {
    const seat = winners[i % winners.length];
    const made = el("span", { class: "flake", "data-seat": seat }, badge(seatOf(seat).mark));
    made.style.left = `${(i * 53) % 100}%`;
    made.style.animationDelay = `${(i % 6) * 0.25}s`;
    return made;
  });
  document.body.append(el("div", { id: "confetti", "aria-hidden": "true" }, marks));
}
