# gnuplot scripts/figures/splitting.gp, in the root of the tree: docs/figures/splitting.csv, which
# build/benchmarks/splitting prints, becomes docs/figures/splitting.svg and .png.
# The colours are those of Okabe and Ito, which differ for every kind of colour vision; the markers differ as well.
data = "docs/figures/splitting.csv"
set datafile separator ","
set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set xlabel "time for [0, 500], nanoseconds"
set ylabel "largest energy error over [0, 500]"
set yrange [1e-18:1e-3]
set ytics 1e-18, 100
set mytics 1
set mxtics 10
set grid xtics ytics linecolor rgb "#c0c0c0" linewidth 1
set border 3 linecolor rgb "#404040"
set tics nomirror
set key outside right center samplen 2.5 spacing 1.4 reverse Left
set title "Perturbed top: one curve a scheme, one point a step"

set style line 1 linecolor rgb "#7f7f7f" linewidth 1.5 pointtype 2 pointsize 0.8
set style line 2 linecolor rgb "#e69f00" linewidth 1.5 pointtype 4 pointsize 0.8
set style line 3 linecolor rgb "#e69f00" linewidth 1.5 pointtype 5 pointsize 0.8
set style line 4 linecolor rgb "#56b4e9" linewidth 1.5 pointtype 6 pointsize 0.9
set style line 5 linecolor rgb "#0072b2" linewidth 1.5 pointtype 8 pointsize 0.9
set style line 6 linecolor rgb "#0072b2" linewidth 2.5 pointtype 9 pointsize 0.9
set style line 7 linecolor rgb "#cc79a7" linewidth 1.5 pointtype 10 pointsize 0.9
set style line 8 linecolor rgb "#009e73" linewidth 1.5 pointtype 12 pointsize 1.0
set style line 9 linecolor rgb "#000000" linewidth 3 pointtype 7 pointsize 0.9
set style line 10 linecolor rgb "#009e73" linewidth 2.5 pointtype 13 pointsize 1.0
set style line 11 linecolor rgb "#d55e00" linewidth 2 dashtype 2 pointtype 11 pointsize 0.9
names = "strang blanes-moan-4 rkn4-6 yoshida-6 rkn6-11 rkn6-14 aba-8-2 aba-10-4 aba-8-6-4 aba-10-6-4"

do for [output in "svg png"] {
  if (output eq "svg") {
    set terminal svg size 1000,640 font "DejaVu Sans,13" background rgb "white"
  } else {
    set terminal pngcairo size 1500,960 font "DejaVu Sans,13" fontscale 1.3 linewidth 1.3 pointscale 1.4
  }
  set output "docs/figures/splitting.".output
  plot for [i=1:10] data skip 1 using 5:(strcol(1) eq word(names, i) && strcol(2) eq "exact" ? $6 : NaN) \
      with linespoints linestyle i title word(names, i), \
    data skip 1 using 5:(strcol(2) eq "frb-matrix" ? $6 : NaN) \
      with linespoints linestyle 11 title "rkn6-14 with frb-matrix"
  unset output
}
