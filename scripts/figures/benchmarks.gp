# gnuplot scripts/figures/benchmarks.gp, in the root of the tree: docs/figures/work-precision.csv, which
# build/benchmarks/work_precision prints, becomes docs/figures/work-precision.svg and .png.
# The colours are those of Okabe and Ito, which differ for every kind of colour vision; the markers differ as well.
data = "docs/figures/work-precision.csv"
set datafile separator ","
set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set xlabel "time for the whole job, nanoseconds"
set ylabel "attitude error at t = 1000, radians"
set xrange [5e1:1.5e9]
set yrange [3e-18:10]
set ytics 1e-16, 100
set mytics 1
set mxtics 10
set grid xtics ytics linecolor rgb "#c0c0c0" linewidth 1
set border 3 linecolor rgb "#404040"
set tics nomirror
set key outside right center samplen 2.5 spacing 1.4 reverse Left
set title "Water molecule to t = 1000: one curve a method, one point a step (CVODE: a tolerance)"

set style line 1 linecolor rgb "#000000" linewidth 3 pointtype 7 pointsize 1.0
set style line 2 linecolor rgb "#56b4e9" linewidth 1.5 pointtype 4 pointsize 0.9
set style line 3 linecolor rgb "#56b4e9" linewidth 1.5 pointtype 8 pointsize 0.9
set style line 4 linecolor rgb "#0072b2" linewidth 1.5 pointtype 6 pointsize 0.9
set style line 5 linecolor rgb "#0072b2" linewidth 2.5 pointtype 5 pointsize 0.9
set style line 6 linecolor rgb "#009e73" linewidth 2 pointtype 9 pointsize 1.0
set style line 7 linecolor rgb "#e69f00" linewidth 1.5 pointtype 10 pointsize 0.9
set style line 8 linecolor rgb "#e69f00" linewidth 1.5 pointtype 11 pointsize 0.9
set style line 9 linecolor rgb "#d55e00" linewidth 2 dashtype 2 pointtype 13 pointsize 1.1
set style line 10 linecolor rgb "#cc79a7" linewidth 2 dashtype 2 pointtype 12 pointsize 1.1
set style line 11 linecolor rgb "#7f7f7f" linewidth 2 dashtype 2 pointtype 2 pointsize 0.9
names = "exact dmv4 dmv6 dmv8 dmv10 frb-quaternion mr rk4 gsl-rk8pd odeint-rkf78 sundials-cvode"

# exact is drawn last, over the others, and named first.
do for [output in "svg png"] {
  if (output eq "svg") {
    set terminal svg size 1000,640 font "DejaVu Sans,13" background rgb "white"
  } else {
    set terminal pngcairo size 1500,960 font "DejaVu Sans,13" fontscale 1.3 linewidth 1.3 pointscale 1.4
  }
  set output "docs/figures/work-precision.".output
  plot 1/0 with linespoints linestyle 1 title "exact", \
    for [i=2:11] data skip 1 using 4:(strcol(1) eq word(names, i) ? $5 : NaN) \
      with linespoints linestyle i title word(names, i), \
    data skip 1 using 4:(strcol(1) eq "exact" ? $5 : NaN) with linespoints linestyle 1 notitle, \
    data skip 1 using 4:(strcol(1) eq "exact" && ($2 == 1000 || $2 == 1 || $2 == 0.001) ? $5 : NaN) \
      :(sprintf("h = %g", $2)) with labels offset 0,-0.9 notitle, \
    data skip 1 using 4:(strcol(1) eq "dmv10" && ($2 == 0.5 || $2 == 0.2) ? $5 : NaN) \
      :(sprintf("h = %g", $2)) with labels right offset -0.9,0 textcolor rgb "#0072b2" notitle
  unset output
}
