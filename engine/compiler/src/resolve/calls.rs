//! The call graph: recursive definitions and procedures, and `stop` of procedures that cannot be running.

use super::names::Names;
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A node of running code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node<'a> {
    Procedure(&'a str),
    /// The effects of all chosen moves: which one runs is unknown here.
    Moves,
    /// The effects of abilities at a hook.
    Hook(&'a str),
}

/// A node of a computed value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueNode<'a> {
    Value(&'a str),
    /// The legal moves of a family.
    Family(&'a str),
}

#[derive(Default)]
pub struct CallGraph<'a> {
    node: Option<Node<'a>>,
    value: Option<ValueNode<'a>>,
    leads: BTreeMap<Node<'a>, BTreeSet<Node<'a>>>,
    value_edges: BTreeMap<ValueNode<'a>, BTreeSet<ValueNode<'a>>>,
    /// By procedure: the procedures it calls.
    direct: BTreeMap<&'a str, BTreeSet<&'a str>>,
    /// Procedures with a question.
    asking: BTreeSet<&'a str>,
    stops: Vec<(Node<'a>, &'a str, Span)>,
}

impl<'a> CallGraph<'a> {
    pub fn enter_node(&mut self, node: Node<'a>) -> Option<Node<'a>> {
        self.node.replace(node)
    }

    pub fn leave_node(&mut self, outer: Option<Node<'a>>) {
        self.node = outer;
    }

    pub fn enter_value(&mut self, value: ValueNode<'a>) -> Option<ValueNode<'a>> {
        self.value.replace(value)
    }

    pub fn leave_value(&mut self, outer: Option<ValueNode<'a>>) {
        self.value = outer;
    }

    /// Adds an edge from the current code to other code.
    pub fn add_edge(&mut self, to: Node<'a>) {
        if let Some(from) = self.node {
            self.leads.entry(from).or_default().insert(to);
        }
    }

    /// Adds an edge from the current value to another that it needs.
    pub fn add_value_edge(&mut self, value: ValueNode<'a>) {
        if let Some(outer) = self.value {
            self.value_edges.entry(outer).or_default().insert(value);
        }
    }

    pub fn add_call(&mut self, procedure: &'a str) {
        if let Some(Node::Procedure(from)) = self.node {
            self.direct.entry(from).or_default().insert(procedure);
        }
    }

    pub fn note_question(&mut self) {
        if let Some(Node::Procedure(procedure)) = self.node {
            self.asking.insert(procedure);
        }
    }

    pub fn add_stop(&mut self, procedure: &'a str, span: Span) {
        if let Some(node) = self.node {
            self.stops.push((node, procedure, span));
        }
    }
}

pub fn check_calls(calls: &CallGraph, names: &Names, problems: &mut Vec<Problem>) {
    report_value_cycles(calls, names, problems);
    report_procedure_cycles(calls, names, problems);
    report_stray_stops(calls, names, problems);
}

/// The shortest cycle through a node, starting with it.
fn shortest_cycle<N: Copy + Ord>(start: N, next: &dyn Fn(N) -> Vec<N>) -> Option<Vec<N>> {
    let mut ways: Vec<Vec<N>> = vec![vec![start]];
    let mut seen = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            let Some(last) = way.last() else { continue };
            for following in next(*last) {
                if following == start {
                    return Some(way);
                }
                if seen.insert(following) {
                    longer.push(way.iter().copied().chain([following]).collect());
                }
            }
        }
        ways = longer;
    }
    None
}

/// The nodes that lead into no cycle.
fn nodes_without_cycle<N: Copy + Ord>(starts: impl Iterator<Item = N>, next: &dyn Fn(N) -> Vec<N>) -> BTreeSet<N> {
    let (mut none, mut met) = (BTreeSet::new(), BTreeSet::new());
    // Each node is visited again after its successors.
    let mut open: Vec<(N, bool)> = starts.map(|start| (start, false)).collect();
    while let Some((node, again)) = open.pop() {
        if again {
            if next(node).iter().all(|following| none.contains(following)) {
                none.insert(node);
            }
        } else if met.insert(node) {
            open.push((node, true));
            open.extend(next(node).into_iter().map(|following| (following, false)));
        }
    }
    none
}

/// All cycles, without those that share a node with an earlier one.
pub fn find_cycles<N: Copy + Ord>(starts: impl Iterator<Item = N> + Clone, next: &dyn Fn(N) -> Vec<N>) -> Vec<Vec<N>> {
    let mut told = nodes_without_cycle(starts.clone(), next);
    let mut circles = Vec::new();
    for start in starts {
        if told.contains(&start) {
            continue;
        }
        if let Some(circle) = shortest_cycle(start, next) {
            told.extend(circle.iter().copied());
            circles.push(circle);
        }
    }
    circles
}

fn report_value_cycles(calls: &CallGraph, names: &Names, problems: &mut Vec<Problem>) {
    let next = |value| calls.value_edges.get(&value).into_iter().flatten().copied().collect();
    for circle in find_cycles(calls.value_edges.keys().copied(), &next) {
        let members: Vec<(String, Option<Span>)> = circle
            .iter()
            .map(|value| match value {
                ValueNode::Value(name) => (name.to_string(), names.values.get(name).map(|value| value.span)),
                ValueNode::Family(name) => (format!("can {name}"), names.families.get(name).map(|family| family.name.span)),
            })
            .collect();
        let Some((first, _)) = members.first() else { continue };
        let message = match members.as_slice() {
            [_] => format!("`{first}` is defined by itself"),
            members => format!("`{first}` is defined by itself: {}", cycle_text(members)),
        };
        problems.push(
            add_places(Problem::error(codes::GOES_IN_CIRCLES, message), &members).help("define one of them without the others"),
        );
    }
}

/// Formats a cycle: `a → b → a`.
fn cycle_text(members: &[(String, Option<Span>)]) -> String {
    let names: Vec<String> = members.iter().chain(members.first()).map(|(name, _)| format!("`{name}`")).collect();
    names.join(" → ")
}

fn add_places(mut problem: Problem, members: &[(String, Option<Span>)]) -> Problem {
    let mut remark = "goes round in a circle";
    for span in members.iter().filter_map(|(_, span)| *span) {
        problem = problem.with_label(span, remark);
        remark = "by way of this";
    }
    problem
}

/// Reports procedures that call each other without a question in between.
fn report_procedure_cycles(calls: &CallGraph, names: &Names, problems: &mut Vec<Problem>) {
    let next = |from: &str| {
        let silent = !calls.asking.contains(from);
        let called = calls.direct.get(from).filter(|_| silent);
        called.into_iter().flatten().copied().collect::<Vec<_>>()
    };
    for circle in find_cycles(calls.direct.keys().copied(), &next) {
        let members: Vec<(String, Option<Span>)> = circle
            .iter()
            .map(|name| (name.to_string(), names.procedures.get(name).map(|procedure| procedure.name.span)))
            .collect();
        let Some((first, _)) = members.first() else { continue };
        let by = if circle.len() == 1 { String::new() } else { format!(": {}", cycle_text(&members)) };
        let message = format!("`{first}` calls itself without a question in between{by}");
        let problem = add_places(Problem::probable_warning(codes::GOES_IN_CIRCLES, message), &members);
        let help = "more than 200 nested calls are a fault; `repeat at most … times` has no such limit";
        problems.push(problem.help(help));
    }
}

/// The error for procedures that call each other and never end. Each is given with the place of its name.
pub fn endless_procedures_problem(members: &[(String, Option<Span>)]) -> Problem {
    let first = members.first().map_or("", |(name, _)| name);
    let by = if members.len() == 1 { String::new() } else { format!(": {}", cycle_text(members)) };
    let problem = Problem::error(codes::GOES_IN_CIRCLES, format!("`{first}` calls itself and never ends{by}"));
    add_places(problem, members).help("to repeat something, write `repeat at most … times`, and in a script a `for`")
}

/// Reports a `stop` that is neither in the procedure it stops nor in code that this leads to.
fn report_stray_stops(calls: &CallGraph, names: &Names, problems: &mut Vec<Problem>) {
    for (node, procedure, span) in &calls.stops {
        if *node == Node::Procedure(procedure) || can_reach(calls, Node::Procedure(procedure), *node) {
            continue;
        }
        let message = format!("`{procedure}` cannot be running here");
        let mut problem = Problem::error(codes::STOP_OUTSIDE, message).with_label(*span, "nothing to stop");
        if let Some(declared) = names.procedures.get(procedure) {
            problem = problem.with_label(declared.name.span, "never leads to the `stop`");
        }
        problems.push(problem.help("`stop` alone ends the procedure around it"));
    }
}

fn can_reach(calls: &CallGraph, from: Node, wanted: Node) -> bool {
    let mut open = vec![from];
    let mut seen = BTreeSet::new();
    while let Some(node) = open.pop() {
        for next in calls.leads.get(&node).into_iter().flatten() {
            if *next == wanted {
                return true;
            }
            if seen.insert(*next) {
                open.push(*next);
            }
        }
    }
    false
}
